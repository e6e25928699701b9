import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { content, empty, endpoint, HttpError, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { ToolContext } from './tool.ts';

/** The longest that a tool may take. */
const TIME_LIMIT_MS = 31_000;
/** The Accept header is ignored, as on REST. */
const ACCEPTED = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
/** Headers in which the protocol repeats parts of the message. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** The messages of a batch run at the same time. */
const BATCH_MAX = 50;

type EmployeeToolContext = ToolContext<EmployeePrincipal>;
/** Undefined when the request ended without an answer. */
type Answer = (message: Message) => Promise<Response | undefined>;

interface Message {
  readonly request: Request;
  readonly body: unknown;
  readonly toolContext: EmployeeToolContext;
  /** The end of what a request may take, or of its connection. */
  readonly end: Promise<undefined>;
}

export interface PostMessageOptions {
  readonly serverFor: (toolContext: EmployeeToolContext) => Server;
  /** Counts further requests against the limit; throws when it is reached. */
  readonly countRequests: (principal: EmployeePrincipal, requests: number) => void;
}

export const postMessage = ({ serverFor, countRequests }: PostMessageOptions) => {
  const answerSelfContained = selfContainedRequests(serverFor);
  const answerHandshakeEra = handshakeEraRequests(serverFor);
  return endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /',
    summary: 'Send a message to the MCP server',
    description: 'Streamable HTTP of the Model Context Protocol, without sessions.',
    responses: { 200: 'application/json', 202: null, 400: z.unknown(), 404: z.unknown(), 504: z.unknown() },
    errors: [401, 403],
    timeLimitMs: TIME_LIMIT_MS,
    // Arguments are validated by the tool; nested values are not inspected here.
    jsonLimits: { depth: 20_000, values: 20_000 },
    async handle({ form, request, context, requestId, signal }) {
      // Not checked here: the tool refuses characters that cannot be stored.
      const body = (request.body as unknown) ?? null;
      if (form !== undefined)
        throw new HttpError(415, { error: 'unsupported_media_type', code: 'unsupported_media_type' });
      if (Array.isArray(body) && body.length > 1) {
        if (body.length > BATCH_MAX) return json(400, refusal(null, INVALID_REQUEST, 'Too many messages in a batch'));
        countRequests(context, body.length - 1);
      }
      const { id = null, method } = Object(body) as { id?: unknown; method?: unknown };
      // A stream that nothing would ever be sent on.
      if (method === 'subscriptions/listen') return json(404, refusal(id, METHOD_NOT_FOUND, 'Method not found'));
      const message = new Request('http://parley/mcp', { method: 'POST', headers: protocolHeaders(request.headers) });
      const answer = (await isLegacyRequest(message, body)) ? answerHandshakeEra : answerSelfContained;
      const toolContext = { context, requestId, signal };
      const end = endOf(signal);
      const given = await answer({ request: message, body, toolContext, end: end.reached }).finally(() => end.cancel());
      if (given === undefined) return json(504, { error: 'timeout' });
      if (given.status === 202) return empty(202);
      if (given.status === 200) return content(200, 'application/json; charset=utf-8', await given.text());
      return json(given.status === 404 ? 404 : 400, await given.json());
    },
  });
};

const { InvalidRequest: INVALID_REQUEST, MethodNotFound: METHOD_NOT_FOUND } = ProtocolErrorCode;

/** Since 2026-07-28 a request contains what a handshake negotiated before. */
function selfContainedRequests(serverFor: PostMessageOptions['serverFor']): Answer {
  const handler = createMcpHandler(
    ({ authInfo }) => serverFor(authInfo?.extra?.['toolContext'] as EmployeeToolContext),
    {
      legacy: 'reject',
    },
  );
  return ({ request, body, toolContext, end }) => {
    // The SDK passes the context on in this shape; the credential was verified before and is not passed.
    const authInfo: AuthInfo = {
      token: '',
      clientId: toolContext.context.credentialId,
      scopes: [],
      extra: { toolContext },
    };
    return Promise.race([handler.fetch(request, { parsedBody: body, authInfo }), end]);
  };
}

/** Versions that begin with `initialize`; without sessions, every request is on its own all the same. */
function handshakeEraRequests(serverFor: PostMessageOptions['serverFor']): Answer {
  return async ({ request, body, toolContext, end }) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(toolContext);
    await server.connect(transport);
    try {
      // A request that its own batch cancels is never answered.
      return await Promise.race([transport.handleRequest(request, { parsedBody: body }), end]);
    } finally {
      await server.close();
    }
  };
}

function protocolHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const repeated = PROTOCOL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { ...ACCEPTED, ...(Object.fromEntries(repeated) as Record<string, string>) };
}

function refusal(id: unknown, code: number, message: string) {
  const isId = typeof id === 'string' || typeof id === 'number';
  return { jsonrpc: '2.0', id: isId ? id : null, error: { code, message } };
}

function endOf(signal: AbortSignal): { readonly reached: Promise<undefined>; cancel(): void } {
  const { promise: reached, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, TIME_LIMIT_MS, undefined);
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  return { reached, cancel: () => clearTimeout(timer) };
}
