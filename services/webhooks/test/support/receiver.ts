import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived at a receiver. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  readonly body: { event: string; timestamp: string; data: Record<string, any> };
  readonly atMs: number;
  /** The status it got; undefined while it waits. */
  answered?: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A web server. `reply` may be slow; a promise that never resolves is a receiver that hangs. */
export interface Receiver {
  readonly origin: string;
  readonly received: Received[];
  at(path: string): Received[];
  reply: (request: Received) => Reply | Promise<Reply>;
  open(): number;
  /** The largest number of simultaneously open requests. */
  openMax(): number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let open = 0;
  let openMax = 0;
  const server = createServer(async (request, response) => {
    openMax = Math.max(openMax, ++open);
    response.on('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const rawBody = Buffer.concat(chunks).toString();
    const received: Received = {
      path: request.url ?? '',
      headers: request.headers,
      rawBody,
      body: JSON.parse(rawBody),
      atMs: Date.now(),
    };
    receiver.received.push(received);
    const { status = 200, headers = {}, body = '' } = await receiver.reply(received);
    received.answered = status;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    at: (path) => receiver.received.filter((request) => request.path === path),
    reply: () => ({}),
    open: () => open,
    openMax: () => openMax,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
