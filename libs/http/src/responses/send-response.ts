import type { Response } from 'express';
import type { Chunk, EndpointResponse, ResponseHeaders, StreamResponse } from './response.ts';

/** Sends what a handler returned; resolves when all of it is written. */
export async function sendResponse(response: Response, given: EndpointResponse): Promise<void> {
  if (given.kind === 'stream') return sendStream(response, given);
  response.status(given.status);
  setHeaders(response, given.headers);
  if (given.kind === 'json' && given.text !== undefined) response.type('json').send(given.text);
  else if (given.kind === 'json') response.json(given.body);
  else if (given.kind === 'content') response.send(given.content);
  else response.end();
}

function setHeaders(response: Response, headers: ResponseHeaders | undefined): void {
  for (const name in headers) response.setHeader(name, headers[name] as string | string[]);
}

async function sendStream(response: Response, { status, stream, headers }: StreamResponse): Promise<void> {
  const chunks = iteratorOf(stream);
  const start = () => {
    response.status(status);
    setHeaders(response, headers);
  };
  try {
    if (response.req.method === 'HEAD') {
      start();
      return void response.end();
    }
    // Nothing is written before the first chunk exists: errors before that still get their own status.
    const first = await chunks.next();
    let next = first.done ? first : await chunks.next();
    start();
    if (next.done) {
      const body = first.done ? '' : first.value;
      return void response.setHeader('Content-Length', Buffer.byteLength(body)).end(body);
    }
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

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      response.off('drain', settle).off('close', settle);
      resolve();
    }
    if (response.destroyed) return resolve();
    response.on('drain', settle).on('close', settle);
  });
}
