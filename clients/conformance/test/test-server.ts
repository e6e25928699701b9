import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server for one test. */
export interface TestServer {
  readonly url: string;
  readonly server: Server;
  /** Requests in order: `POST /companies {"name":"…"}`. */
  readonly requests: string[];
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** Answers every request as `handle` says, or with 200 and `{}`. */
export async function startTestServer(
  handle: Handle = (_request, _body, response) => sendJson(response, 200, {}),
): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push([request.method, request.url, body].filter((part) => part !== '').join(' '));
      handle(request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
