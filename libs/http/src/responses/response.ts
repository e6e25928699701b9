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

export const JSON_TYPE = 'application/json; charset=utf-8';

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
