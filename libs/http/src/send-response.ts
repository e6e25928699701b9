import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EndpointResponse, type ResponseHeaders, type Chunk, JSON_TYPE, type StreamResponse } from './response.ts';
import { hasBody } from './body.ts';

/** An unread body up to this size is left to Node, which reads it away and keeps the connection. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** How long, and how much of, a refused body is read away so that the client gets to see its answer. */
const LINGER_MS = 2_000;
const LINGER_BYTES_MAX = 64 * 1024 * 1024;

/** Header names and values in turn, as `writeHead` takes them at the least cost. */
export type RawHeaders = string[];

/** Adds fields; one that is there already is replaced. */
export function addHeaders(raw: RawHeaders, headers: ResponseHeaders | undefined): void {
  if (headers === undefined) return;
  for (const name in headers) {
    removeHeader(raw, name);
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') raw.push(name, value);
    else for (const one of value) raw.push(name, one);
  }
}

function removeHeader(raw: RawHeaders, name: string): void {
  const wanted = name.toLowerCase();
  for (let i = raw.length - 2; i >= 0; i -= 2) {
    if (raw[i]?.toLowerCase() === wanted) raw.splice(i, 2);
  }
}

/** Writes an answer to its end. `base` is what every answer to this request carries. */
export async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: EndpointResponse,
  base: Readonly<RawHeaders>,
): Promise<void> {
  const headers = base.slice();
  if (answer.kind === 'json') headers.push('Content-Type', JSON_TYPE);
  addHeaders(headers, answer.headers);
  if (answer.kind === 'stream') return writeStream(request, response, answer, headers);
  const body = bodyOf(answer);
  // RFC 9110 section 8.6: no Content-Length with 204.
  if (answer.status !== 204) headers.push('Content-Length', String(Buffer.byteLength(body)));
  if (leavesBodyUnread(request)) return writeAndLinger(request, response, answer.status, headers, body);
  response.writeHead(answer.status, headers);
  response.end(body);
}

function bodyOf(answer: Exclude<EndpointResponse, StreamResponse>): Chunk {
  if (answer.kind === 'json') return JSON.stringify(answer.body) ?? 'null';
  return answer.kind === 'content' ? answer.content : '';
}

async function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  { status, stream }: StreamResponse,
  headers: RawHeaders,
): Promise<void> {
  const chunks = iteratorOf(stream);
  try {
    if (request.method === 'HEAD') return void response.writeHead(status, headers).end();
    // Nothing is written before the first chunk is there: what fails until then still gets a status of its own.
    const first = await chunks.next();
    let next = first.done ? first : await chunks.next();
    if (next.done) {
      const body = first.done ? '' : first.value;
      addHeaders(headers, { 'Content-Length': String(Buffer.byteLength(body)) });
      return void response.writeHead(status, headers).end(body);
    }
    response.writeHead(status, headers);
    response.write(first.value);
    while (!next.done && !response.destroyed) {
      if (!response.write(next.value)) await drained(response);
      next = await chunks.next();
    }
    response.end();
  } finally {
    await chunks.return?.();
  }
}

function iteratorOf(source: AsyncIterable<Chunk> | Iterable<Chunk>): AsyncIterator<Chunk> | Iterator<Chunk> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      response.off('drain', settle).off('close', settle);
      resolve();
    }
    if (response.destroyed) return resolve();
    response.on('drain', settle).on('close', settle);
  });
}

function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request)) return false;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > UNREAD_BYTES_MAX;
}

/**
 * Answers a client that is still sending. Closing at once would reset the connection and could take the answer with
 * it (RFC 9112 section 9.6), so the answer goes out complete, the rest is read away within limits, and then it ends.
 */
function writeAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: RawHeaders,
  body: Chunk,
): Promise<void> {
  response.writeHead(status, [...headers, 'Connection', 'close']);
  response.flushHeaders();
  if (body.length > 0) response.write(body);
  return new Promise((resolve) => {
    let read = 0;
    const timer = setTimeout(settle, LINGER_MS);
    function onData(chunk: Buffer): void {
      read += chunk.length;
      if (read > LINGER_BYTES_MAX) settle();
    }
    function settle(): void {
      clearTimeout(timer);
      request.off('data', onData).off('end', settle).off('close', settle).off('error', settle);
      response.end();
      resolve();
    }
    request.on('data', onData).on('end', settle).on('close', settle).on('error', settle);
    request.resume();
  });
}
