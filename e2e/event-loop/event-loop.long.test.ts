import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectAssistant } from '../mcp/assistant.ts';
import { send } from '../support/api.ts';
import { useLocalStack } from '../support/use-local-stack.ts';
import { createLargeCompany, type LargeCompany } from './large-company.ts';
import { type LargeRequest, largestInputs, type Operation, ownCases } from './largest-inputs.ts';
import { largestValues, type Schemas, type ValueSchema } from './largest-values.ts';

/** The longest time that everybody else may have to wait for one step of a process. */
const STEP_MS_MAX = 50;
/** Code that runs for the first time is slower, and now and then memory is freed: what a request causes it causes each time. */
const TRIES = 3;

const SOCKET = path.join(tmpdir(), `parley-steps-${process.pid}.sock`);
const program = pathToFileURL(path.join(import.meta.dirname, 'report-steps.ts'));
program.searchParams.set('socket', SOCKET);

const stack = useLocalStack({ environment: { PARLEY_NODE_OPTIONS: `--import=${program}` } });
const document = JSON.parse(readFileSync(new URL('../../services/gateway/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Schemas };
};
interface DocumentedOperation {
  parameters?: { name: string; in: string; schema: ValueSchema }[];
  requestBody?: { content: Record<string, { schema: ValueSchema }> };
}
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
    const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    return {
      method,
      path,
      query: parameters.filter((one) => one.in === 'query'),
      body: mediaType && content ? { mediaType, schema: content.schema } : undefined,
    };
  }),
);

let company: LargeCompany;
beforeAll(async () => {
  company = await createLargeCompany(stack.local);
}, 240_000);

/** The longest step of the services since the last call. */
function takeLongestMs(): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(SOCKET).setEncoding('utf8').on('error', reject);
    socket.on('data', (part: string) => (text += part)).on('end', () => resolve(Number(text)));
  });
}

/** Names the cases in which the services did nothing else for too long in each try. */
async function tooLong(cases: readonly { what: string; run(): Promise<unknown> }[]): Promise<string[]> {
  const found: string[] = [];
  for (const { what, run } of cases) {
    let shortest = Infinity;
    for (let tries = 0; tries < TRIES && shortest > STEP_MS_MAX; tries++) {
      await takeLongestMs();
      await run();
      shortest = Math.min(shortest, await takeLongestMs());
    }
    if (shortest > STEP_MS_MAX) found.push(`${what}: ${Math.round(shortest)} ms`);
  }
  return found;
}

/** The ids that a path takes, of what the company has. */
function targetOf(path: string): string {
  const ids: [RegExp, string][] = [
    [/business_numbers\/\{id\}/, `business_numbers/${company.number.id}`],
    [/contacts\/\{id\}/, `contacts/${company.contactId}`],
    [/employees\/\{id\}/, `employees/${company.employeeIds.at(-1)}`],
    [/webhooks\/\{id\}/, `webhooks/${company.webhookId}`],
    [/text_snippets\/\{id\}/, `text_snippets/${company.snippetId}`],
    [/assistants\/\{id\}/, `assistants/${company.assistantId}`],
    [/knowledge_entries\/\{id\}/, `knowledge_entries/${company.entryId}`],
    [/messages\/\{(message_)?id\}/, `messages/${company.messageId}`],
    [/\{closure_id\}/, company.closureId],
    [/\{phone_number\}/, encodeURIComponent(company.phone)],
  ];
  return ids.reduce((target, [part, id]) => target.replace(part, id), path).replace(/\{\w+\}/g, 'unknown');
}

async function request(method: string, path: string, { query, body, headers, run }: LargeRequest): Promise<unknown> {
  if (run) return run();
  const search = query ? `?${new URLSearchParams(query)}` : '';
  // What is deleted is missing in the other cases.
  const target = method === 'delete' ? path.replace(/\{\w+\}/g, 'unknown') : targetOf(path);
  const reply = await send(method.toUpperCase(), `${stack.local.base_url}${target}${search}`, {
    headers: { 'X-Api-Key': company.company.apiKey, 'Idempotency-Key': String(Math.random()), ...headers },
    body,
  });
  // Anything else is a defect of the case, or of the service.
  expect([path, reply.status, reply.status < 500]).toEqual([path, reply.status, true]);
  return reply;
}

describe('no step of a process takes longer than others can wait for', () => {
  it.each(operations)('no step of $method $path takes longer than others can wait for', async (operation) => {
    const { method, path } = operation;
    const inputs = [{ what: 'nothing' }, ...largestInputs(operation, document.components.schemas, company)];
    const cases = inputs.map((input) => ({ what: input.what, run: () => request(method, path, input) }));
    expect(await tooLong(cases)).toEqual([]);
  });

  it('no step of any tool of an assistant takes longer than others can wait for', async () => {
    const { client } = await connectAssistant(
      { 'X-Api-Key': company.company.apiKey },
      new URL(`${stack.local.base_url}/mcp`),
    );
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const cases = tools.flatMap(({ name, inputSchema }) =>
      largestValues(inputSchema as ValueSchema, document.components.schemas).map((given) => ({
        what: name,
        run: () => client.callTool({ name, arguments: given as Record<string, unknown> }),
      })),
    );
    expect(await tooLong(cases)).toEqual([]);
    await client.close();
  });

  it('no step of a page takes longer than others can wait for, whatever its form and its cookies are', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const forms = ['email=x&password=y', `email=${'x'.repeat(500_000)}&password=${'y'.repeat(500_000)}`];
    const pages = ['/signin', '/forgot-password', '/oauth/authorize', '/dashboard', '/docs', '/openapi.json'];
    const cases = [
      ...pages.map((page) => ({
        what: page,
        run: () => send('GET', stack.local.base_url + page, { headers: { cookie: `a=b; ${'c=d; '.repeat(2_500)}` } }),
      })),
      ...forms.map((body) => ({
        what: `a form of ${body.length} bytes`,
        run: () => send('POST', `${stack.local.base_url}/signin`, { body, headers: form }),
      })),
    ];
    expect(await tooLong(cases)).toEqual([]);
  });

  it('each operation that takes any bytes has a case of its own', () => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    const withBytes = operations.filter(({ body }) => body && Object.keys(body.schema).length === 0);
    expect(Object.keys(ownCases)).toEqual(
      expect.arrayContaining(withBytes.map(({ method, path }) => `${method} ${path}`)),
    );
    expect(names).toEqual(expect.arrayContaining(Object.keys(ownCases)));
  });
});
