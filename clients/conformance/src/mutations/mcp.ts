import type { Answer, Mutation } from './mutation.ts';
import { acceptedInstead, statusInstead, withHeader } from './ways.ts';

const POST = { method: 'POST', path: '/mcp' };
const API = { areas: ['mcp'], profile: 'api' } as const;
const FULL = { areas: ['mcp'], profile: 'full' } as const;

type Message = { readonly result?: any };

/** Changes the JSON-RPC message of an answer, also where it is in a stream of events. */
function changeMessage(change: (message: Message) => object): (answer: Answer) => Answer {
  return (answer) => {
    if (answer.status !== 200) return answer;
    const { body } = answer;
    if (typeof body !== 'string') return { ...answer, body: change(body as Message) };
    const lines = body.split('\n').map((line) => {
      const [, json] = /^data: ?(.+)$/.exec(line) ?? [];
      return json === undefined ? line : `data: ${JSON.stringify(change(JSON.parse(json)))}`;
    });
    return { ...answer, body: lines.join('\n') };
  };
}

function changeTools(change: (tool: any) => object): (answer: Answer) => Answer {
  return changeMessage(({ result, ...message }) => ({
    ...message,
    ...(result !== undefined && {
      result: Array.isArray(result.tools) ? { ...result, tools: result.tools.map(change) } : result,
    }),
  }));
}

export const mcpMutations: readonly Mutation[] = [
  {
    id: 'mcp-with-sessions',
    sentence: 'The server gives out the id of a session.',
    ...API,
    where: POST,
    answer: withHeader('mcp-session-id', 'session-1'),
  },
  {
    id: 'mcp-challenge-without-metadata',
    sentence: 'A refusal does not say where a credential is to be had.',
    ...API,
    where: POST,
    answer: (answer) =>
      answer.status === 401
        ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer error="invalid_token"' } }
        : answer,
  },
  {
    id: 'mcp-streams-opened',
    sentence: 'A stream of the server is opened.',
    ...API,
    where: { method: 'GET', path: '/mcp' },
    answer: statusInstead(405, 200),
  },
  {
    id: 'mcp-every-origin-accepted',
    sentence: 'A page of any origin is answered.',
    ...API,
    where: POST,
    answer: acceptedInstead(403, 200, () => ({ jsonrpc: '2.0', id: 1, result: { tools: [] } })),
  },
  {
    id: 'mcp-tools-only-read',
    sentence: 'Every tool says that it only reads.',
    ...API,
    where: POST,
    answer: changeTools((tool) => ({ ...tool, annotations: { ...tool.annotations, readOnlyHint: true } })),
  },
  {
    id: 'mcp-tools-without-output',
    sentence: 'Tools do not say what they give.',
    ...API,
    where: POST,
    answer: changeTools(({ outputSchema: _, ...tool }) => tool),
  },
  {
    id: 'mcp-refusals-as-answers',
    sentence: 'A refusal of the service is an answer like any other.',
    ...API,
    where: POST,
    answer: changeMessage(({ result, ...message }) => ({
      ...message,
      ...(result !== undefined && { result: { ...result, isError: false } }),
    })),
  },
  {
    id: 'mcp-texts-sent-twice',
    sentence: 'A text that is asked for twice is sent twice.',
    ...FULL,
    where: { at: 'sandbox', method: 'GET', path: '/messages' },
    answer: (answer) => (Array.isArray(answer.body) ? { ...answer, body: [...answer.body, ...answer.body] } : answer),
  },
];
