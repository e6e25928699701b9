import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { type Answer, concerns, type Mutation, type SeenRequest } from './mutation.ts';

/** A server that passes everything on, and changes what a mutation says. */
export interface Proxy {
  readonly url: string;
  /** How often the mutation was applied. */
  readonly changed: () => number;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What describes the bytes between two machines, and is written again. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

/** Starts a proxy for one address. WebSockets pass through it as they are. */
export async function startProxy(base: string, mutation: Mutation): Promise<Proxy> {
  const target = new URL(base);
  const answers = new Map<string, Answer>();
  let changed = 0;
  const server = createServer((request, response) => {
    pass(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' });
      response.end(`the proxy could not reach ${base}: ${error.message}`);
    });
  });
  server.on('upgrade', (request, socket: Duplex, head) => passUpgrade(target, request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = toSeen(request, await readAll(request), target.pathname);
    const isConcerned = concerns(mutation, sent.method, sent.path);
    const outgoing = isConcerned && mutation.request ? mutation.request(sent) : sent;
    const answer = await forward(target, outgoing);
    if (answer.status < 300) answers.set(`${sent.method} ${sent.path}`, answer);
    const seen = (key: string) => answers.get(key);
    const passed = isConcerned && mutation.answer ? mutation.answer(answer, { request: sent, seen }) : answer;
    if (outgoing !== sent || passed !== answer) changed += 1;
    const body = toBytes(passed.body, passed.headers);
    response.writeHead(passed.status, withLength(passed, body, sent.method));
    response.end(body);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed: () => changed,
    close: () => close(server),
  };
}

function toSeen(request: IncomingMessage, bytes: Buffer, prefix: string): SeenRequest {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  return {
    method: request.method ?? '',
    path: path.slice(prefix.replace(/\/$/, '').length),
    query: new URLSearchParams(query),
    headers: request.headers,
    body: toValue(bytes, request.headers),
  };
}

function forward(target: URL, { method, path, query, headers, body }: SeenRequest): Promise<Answer> {
  const bytes = toBytes(body, headers);
  const search = query.size > 0 ? `?${query}` : '';
  const options = {
    method,
    hostname: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port,
    path: target.pathname.replace(/\/$/, '') + path + search,
    headers: {
      ...without(headers, OF_THE_CONNECTION),
      ...(bytes.length > 0 && { 'content-length': String(bytes.length) }),
      // So that the answer can be read.
      'accept-encoding': 'identity',
    },
  };
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(options, (response) => {
      readAll(response).then((read) => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, body: toValue(read, received) });
      }, reject);
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

/** The request line and headers as they came, with the host that the server knows; then bytes both ways. */
function passUpgrade(target: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const isSecure = target.protocol === 'https:';
  const [host, port] = [target.hostname.replace(/^\[|\]$/g, ''), Number(target.port || (isSecure ? 443 : 80))];
  const server = isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port });
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index]!, request.rawHeaders[index + 1]!];
    lines.push(`${name}: ${name.toLowerCase() === 'host' ? target.host : value}`);
  }
  server.write(`${lines.join('\r\n')}\r\n\r\n`);
  server.write(head);
  socket.pipe(server).pipe(socket);
  for (const [one, other] of [
    [socket, server],
    [server, socket],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bytes that are no text, such as audio, stay bytes. */
function toValue(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  const type = headers['content-type'] ?? '';
  if (type.includes('json')) {
    try {
      return bytes.length === 0 ? '' : JSON.parse(bytes.toString('utf8'));
    } catch {
      return bytes;
    }
  }
  return type.startsWith('text/') || bytes.length === 0 ? bytes.toString('utf8') : bytes;
}

function toBytes(body: unknown, headers: Headers): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const isJson = String(headers['content-type'] ?? '').includes('json');
  if (typeof body === 'string' && (body === '' || !isJson)) return Buffer.from(body);
  return Buffer.from(JSON.stringify(body) ?? '');
}

function withLength({ status, headers }: Answer, body: Buffer, method: string): Record<string, string | string[]> {
  const isWithout = status === 204 || status === 304 || method === 'HEAD';
  const kept = without(headers, OF_THE_CONNECTION);
  return { ...kept, ...(!isWithout && { 'content-length': String(body.length) }) };
}

function without(headers: Headers, names: readonly string[]): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !names.includes(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
