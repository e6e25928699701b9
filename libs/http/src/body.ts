import type { IncomingMessage } from 'node:http';
import { codeResponse, HttpError } from './error-responses.ts';

/** A body as it came in: parsed JSON, or the flat fields of a form. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: URLSearchParams };

/** One mebibyte, the limit of the public contract. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** RFC 8259 section 9 lets a parser limit nesting; nothing we take is a tenth as deep. */
const NESTING_MAX = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const EMPTY: Body = { kind: 'json', value: {} };

/** The client went away before it had said everything: there is nobody to answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Reads a body by the contract's rules: an empty one is `{}`, JSON and forms are parsed, anything else is 415. */
export async function readBody(request: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<Body> {
  if (!hasBody(request)) return EMPTY;
  const bytes = await readBytes(request, bytesMax);
  if (bytes.length === 0) return EMPTY;
  const type = mediaTypeOf(request);
  if (type === 'json') return { kind: 'json', value: parseJson(bytes) };
  if (type === 'form') return { kind: 'form', fields: new URLSearchParams(decode(bytes, 'invalid_request')) };
  throw refuse(415, 'unsupported_media_type');
}

/** The bytes of a body whatever they are; 413 as soon as they are too many, whatever Content-Length said. */
export function readBytes(request: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<Buffer> {
  if (Number(request.headers['content-length']) > bytesMax) return Promise.reject(refuse(413, 'payload_too_large'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    function stop(): void {
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bytesMax) return;
      stop();
      request.pause();
      reject(refuse(413, 'payload_too_large'));
    }
    function onEnd(): void {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    }
    function onGone(): void {
      stop();
      reject(new ClientGone());
    }
    if (request.destroyed) return reject(new ClientGone());
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Parses JSON text: 400 `invalid_json` if it is not UTF-8, not JSON, or nested past all reason. */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes, 'invalid_json'));
  } catch (error) {
    throw error instanceof HttpError ? error : refuse(400, 'invalid_json');
  }
  if (isNestedPast(value, NESTING_MAX)) throw refuse(400, 'invalid_json');
  return value;
}

/** Whether the request announces a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function mediaTypeOf({ headers }: IncomingMessage): 'json' | 'form' | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return undefined;
  const name = type.trim();
  if (name === 'application/json' || /^application\/[a-z0-9.!#$&^_-]+\+json$/.test(name)) return 'json';
  return name === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

function decode(bytes: Uint8Array, code: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse(400, code);
  }
}

function isNestedPast(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isNestedPast((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

function refuse(status: number, code: string): HttpError {
  const { body, headers } = codeResponse(status, code);
  return new HttpError(status, body, headers);
}
