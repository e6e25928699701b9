/** Header fields of an answer; a list for a field that repeats, such as `Set-Cookie`. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A piece of a body written as it stands. */
export type Chunk = string | Uint8Array;

interface AnswerHead<Status extends number> {
  readonly status: Status;
  readonly headers?: AnswerHeaders;
}

/** A body that is written as JSON. */
export interface JsonAnswer<Status extends number = number, Body = unknown> extends AnswerHead<Status> {
  readonly kind: 'json';
  readonly body: Body;
}

/** A body that is ready to be written; its media type stands in `headers`. */
export interface ContentAnswer<Status extends number = number> extends AnswerHead<Status> {
  readonly kind: 'content';
  readonly content: Chunk;
}

/** A body that is written piece by piece, as fast as the client reads. */
export interface StreamAnswer<Status extends number = number> extends AnswerHead<Status> {
  readonly kind: 'stream';
  readonly stream: AsyncIterable<Chunk> | Iterable<Chunk>;
}

/** No body at all: 204, or a redirect. */
export interface EmptyAnswer<Status extends number = number> extends AnswerHead<Status> {
  readonly kind: 'empty';
}

/** What a handler gives back; the pattern writes it. */
export type Answer = JsonAnswer | ContentAnswer | StreamAnswer | EmptyAnswer;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** `answer(200, contact)`: a JSON answer. */
export function answer<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: AnswerHeaders,
): JsonAnswer<Status, Body> {
  return { kind: 'json', status, body, headers };
}

/** `empty(204)`: an answer without a body. */
export function empty<const Status extends number>(status: Status, headers?: AnswerHeaders): EmptyAnswer<Status> {
  return { kind: 'empty', status, headers };
}

/** Sends the client elsewhere. 303 after a form, 302 where a protocol asks for it. */
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308>(
  status: Status,
  location: string,
  headers?: AnswerHeaders,
): EmptyAnswer<Status> {
  return { kind: 'empty', status, headers: { ...headers, Location: location } };
}

/** A page. */
export function html<const Status extends number>(
  status: Status,
  text: string,
  headers?: AnswerHeaders,
): ContentAnswer<Status> {
  return content(status, 'text/html; charset=utf-8', text, headers);
}

/** Bytes or text of any media type. */
export function content<const Status extends number>(
  status: Status,
  mediaType: string,
  data: Chunk,
  headers?: AnswerHeaders,
): ContentAnswer<Status> {
  return { kind: 'content', status, content: data, headers: { ...headers, 'Content-Type': mediaType } };
}

/** A body of any media type that is produced while it is written. */
export function stream<const Status extends number>(
  status: Status,
  mediaType: string,
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  headers?: AnswerHeaders,
): StreamAnswer<Status> {
  return { kind: 'stream', status, stream: chunks, headers: { ...headers, 'Content-Type': mediaType } };
}
