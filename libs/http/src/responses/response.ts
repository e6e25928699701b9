import type { Response } from 'express';

/** Header fields of a response; a list for a field that repeats, such as `Set-Cookie`. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A piece of a body that is written unchanged. */
export type Chunk = string | Uint8Array;

interface ResponseHead<Status extends number> {
  readonly status: Status;
  readonly headers?: ResponseHeaders;
}

/** A body that is written as JSON. */
export interface JsonResponse<Status extends number = number, Body = unknown> extends ResponseHead<Status> {
  readonly kind: 'json';
  readonly body: Body;
  /** The body as JSON, if it is known already. */
  readonly text?: string;
}

/** A body that is ready to be written; its media type is in `headers`. */
export interface ContentResponse<Status extends number = number> extends ResponseHead<Status> {
  readonly kind: 'content';
  readonly content: Chunk;
}

/** A list and the fields around it. */
export interface StreamedList {
  /** The items as JSON values. */
  readonly items: AsyncIterable<unknown>;
  /** The body as it were without items. */
  readonly empty: unknown;
}

/** A body that is written piece by piece, as fast as the client reads. */
export interface StreamResponse<Status extends number = number> extends ResponseHead<Status> {
  readonly kind: 'stream';
  readonly stream: AsyncIterable<Chunk> | Iterable<Chunk>;
  /** The items, for a reader that needs some of them. Read either this or the stream. */
  readonly list?: StreamedList;
}

/** No body at all: 204, or a redirect. */
export interface EmptyResponse<Status extends number = number> extends ResponseHead<Status> {
  readonly kind: 'empty';
}

export type EndpointResponse = JsonResponse | ContentResponse | StreamResponse | EmptyResponse;

const JSON_TYPE = 'application/json; charset=utf-8';

/** `json(200, contact)`: a JSON response. */
export function json<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: ResponseHeaders,
): JsonResponse<Status, Body> {
  return { kind: 'json', status, body, headers };
}

/** A JSON response whose text is known already; it is parsed for readers that need its values. */
export function jsonText<const Status extends number>(status: Status, text: string): JsonResponse<Status, never> {
  return {
    kind: 'json',
    status,
    text,
    get body() {
      return JSON.parse(text) as never;
    },
  };
}

/** `empty(204)`: a response without a body. */
export function empty<const Status extends number>(status: Status, headers?: ResponseHeaders): EmptyResponse<Status> {
  return { kind: 'empty', status, headers };
}

/** Sends the client elsewhere. 303 after a form, 302 where a protocol requires it. */
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308>(
  status: Status,
  location: string,
  headers?: ResponseHeaders,
): EmptyResponse<Status> {
  return { kind: 'empty', status, headers: { ...headers, Location: location } };
}

/** A page. */
export function html<const Status extends number>(
  status: Status,
  text: string,
  headers?: ResponseHeaders,
): ContentResponse<Status> {
  return content(status, 'text/html; charset=utf-8', text, headers);
}

/** Bytes or text of any media type. */
export function content<const Status extends number>(
  status: Status,
  mediaType: string,
  data: Chunk,
  headers?: ResponseHeaders,
): ContentResponse<Status> {
  return { kind: 'content', status, content: data, headers: { ...headers, 'Content-Type': mediaType } };
}

/** A body of any media type that is produced while it is written. */
export function stream<const Status extends number>(
  status: Status,
  mediaType: string,
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  headers?: ResponseHeaders,
): StreamResponse<Status> {
  return { kind: 'stream', status, stream: chunks, headers: { ...headers, 'Content-Type': mediaType } };
}

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

/** Large enough that a write costs little per item, small enough that a slow client holds little memory. */
const TEXT_LENGTH = 32 * 1024;

/**
 * A 200 response whose JSON array, of items that come some at a time, is never held in memory as a whole:
 * `streamArray(employees, employeeJson, { before: '{"employees":', after: '}' })`.
 */
export function streamArray<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
  around: { before?: string; after?: string } = {},
): StreamResponse<200> {
  const { before = '', after = '' } = around;
  return {
    kind: 'stream',
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    stream: arrayTexts(chunks, toJson, `${before}[`, `]${after}`),
    list: {
      items: arrayItems(chunks, toJson),
      get empty() {
        return JSON.parse(`${before}[]${after}`) as unknown;
      },
    },
  };
}

async function* arrayItems<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
): AsyncGenerator<unknown> {
  for await (const chunk of chunks) for (const item of chunk) yield toJson(item);
}

async function* arrayTexts<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
  open: string,
  close: string,
): AsyncGenerator<string> {
  let text = open;
  let separator = '';
  for await (const chunk of chunks) {
    for (const item of chunk) {
      text += separator + JSON.stringify(toJson(item));
      separator = ',';
    }
    if (text.length >= TEXT_LENGTH) {
      yield text;
      text = '';
    }
  }
  yield text + close;
}
