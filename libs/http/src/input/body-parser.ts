import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { codeError, HttpError, refusalResponse } from '../responses/error-responses.ts';
import { fieldsRefusal } from './validation.ts';

/** One mebibyte, the limit of the public contract. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Fields of a form; more than any endpoint takes. */
const FORM_FIELDS_MAX = 1_000;
const AMPERSAND = 0x26;

/** Takes a body of any media type as it is: `request.body` is a Buffer. */
export function bytesParser(bytesMax: number): RequestHandler {
  return withinLength(bytesMax, express.raw({ type: () => true, inflate: false, limit: bytesMax }));
}

/** Leaves a body of any media type to the handler: `request.body` is what arrives, piece by piece. */
export function streamOpener(bytesMax: number): RequestHandler {
  return withinLength(bytesMax, (request, _response, next) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') throw codeError(415, 'unsupported_media_type');
    request.body = piecesOf(request, bytesMax);
    next();
  });
}

/** A handler that stops reading leaves the connection open: the client still gets its response. */
async function* piecesOf(request: IncomingMessage, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > bytesMax) throw codeError(413, 'payload_too_large');
      yield piece;
    }
  } catch (error) {
    if (request.complete || error instanceof HttpError) throw error;
    throw Object.assign(new Error('the client ended its request', { cause: error }), { type: 'request.aborted' });
  }
}

/**
 * Parses a body by the contract's rules: JSON becomes its value, a form a URLSearchParams, an empty body `{}`; any other
 * media type is 415. What would take long to parse or validate is refused by a scan of its bytes, before anything is
 * built from it.
 */
export function bodyParser(bytesMax: number, limits: JsonLimits = JSON_LIMITS): RequestHandler {
  const options = { type: () => true, inflate: false, limit: bytesMax };
  const parsers = {
    json: express.json({ ...options, strict: false, verify: (_request, _response, bytes) => checkJson(bytes, limits) }),
    form: express.text({ ...options, verify: (_request, _response, bytes) => checkForm(bytes) }),
    other: express.raw(options),
  };
  return withinLength(bytesMax, (request, response, next) => {
    const type = mediaTypeOf(request);
    // The parsers accept the encoding by its registered name only; no other encoding is possible here.
    if (type !== 'other') request.headers['content-type'] = 'text/plain; charset=utf-8';
    parsers[type](request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      if (type === 'form' && request.body) request.body = new URLSearchParams(request.body as string);
      else if (type === 'other' && request.body?.length > 0) return next(codeError(415, 'unsupported_media_type'));
      else if (type !== 'json' || request.body === undefined) request.body = {};
      next();
    });
  });
}

/** 413 before the body is sent, where its length is announced: the parsers would read it to its end first. */
function withinLength(bytesMax: number, parse: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (Number(request.headers['content-length']) > bytesMax) throw codeError(413, 'payload_too_large');
    return parse(request, response, next);
  };
}

function mediaTypeOf({ headers }: IncomingMessage): 'json' | 'form' | 'other' {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return 'other';
  const name = type.trim();
  if (name === 'application/json' || /^application\/[a-z0-9.!#$&^_-]+\+json$/.test(name)) return 'json';
  return name === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}

function checkJson(bytes: Buffer, limits: JsonLimits): void {
  if (!isUtf8(bytes)) throw codeError(400, 'invalid_json');
  const excess = jsonExcess(bytes, limits);
  if (excess === 'depth') throw codeError(400, 'invalid_json');
  if (excess === 'values') throw tooMany(`has too many values (maximum is ${limits.values})`);
}

function checkForm(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw codeError(400, 'invalid_request');
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1)) {
    if (++fields > FORM_FIELDS_MAX) throw tooMany(`has too many fields (maximum is ${FORM_FIELDS_MAX})`);
  }
}

function tooMany(message: string): HttpError {
  const { status, body, headers } = refusalResponse(fieldsRefusal({ body: [message] }));
  return new HttpError(status, body, headers);
}

export interface JsonLimits {
  /** RFC 8259 section 9 lets a parser limit nesting. */
  readonly depth: number;
  /** Items of arrays and members of objects in one body, at all levels together. */
  readonly values: number;
}

/** Nothing we take is a tenth as deep or a third as long. */
export const JSON_LIMITS: JsonLimits = { depth: 32, values: 5_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The exceeded limit; undefined when a text stays within the limits, or is no JSON at all. */
export type JsonExcess = 'depth' | 'values';

/**
 * Counts values and levels in the bytes of a JSON text without building anything from them: a megabyte of hostile
 * input is refused in about a millisecond, where parsing and validating it would block the event loop for seconds.
 */
export function jsonExcess(bytes: Buffer, limits: JsonLimits = JSON_LIMITS): JsonExcess | undefined {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > limits.depth) return 'depth';
        if (++values > limits.values) return 'values';
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--;
        break;
      case COMMA:
        if (++values > limits.values) return 'values';
        break;
      default:
    }
  }
  return undefined;
}

/** The index of the quote that closes the string opened at `start`; the end of the text when none does. */
function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  for (; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
  return i;
}
