import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a model got. */
export interface AskedModel {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  // `any`: tests compare it with expected values.
  readonly body: any;
}

/** How a model answers one request. */
export type ModelBehaviour = (response: ServerResponse, asked: AskedModel) => unknown;

export interface ModelServer {
  readonly url: string;
  readonly asked: AskedModel[];
  /** In order, the last one repeating. */
  answers(...behaviours: ModelBehaviour[]): void;
  /** How many connections are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A language model over HTTP whose every byte a test decides. */
export async function startModelServer(): Promise<ModelServer> {
  let behaviours: ModelBehaviour[] = [];
  const asked: AskedModel[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const received: AskedModel = { path: request.url, headers: request.headers, body: JSON.parse(body) };
    asked.push(received);
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    if (behaviour) await behaviour(response, received);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answers: (...given) => void (behaviours = given),
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const delta = (given: unknown, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: given, finish_reason: finish }] });
const DONE = event('[DONE]');

/** A stream of exactly these events. */
export const events =
  (...given: string[]): ModelBehaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of given) response.write(each);
    response.end();
  };

/** A reply word by word, and calls of tools. */
export function speaks(text: string | null, ...calls: (readonly [name: string, args: unknown])[]): ModelBehaviour {
  const words = (text ?? '').match(/\s*\S+/g) ?? [];
  const toolCalls = calls.map(([name, args], index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return events(
    delta({ role: 'assistant', content: '' }),
    ...words.map((content) => delta({ content })),
    ...toolCalls.map((call) => delta({ tool_calls: [call] })),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    DONE,
  );
}

/** Sends these pieces and leaves the rest of the answer open. */
export const begins =
  (...given: string[]): ModelBehaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of given) response.write(each);
  };

/** Sends these pieces and closes the connection. */
export const breaksAfter =
  (...given: string[]): ModelBehaviour =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of given) await new Promise((written) => response.write(each, written));
    response.destroy();
  };

export const respondsWith =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): ModelBehaviour =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

export const hangs: ModelBehaviour = () => undefined;
