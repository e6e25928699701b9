import { kindOf, type Refusal, type RefusalKind, Refused, refusalCodes } from '@parley/errors';
import { type ResponseHeaders, json, type JsonResponse } from './response.ts';

/** One kind of refusal is one status; a code never decides its status anywhere else. */
const STATUS_OF: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  invalid: 422,
  exhausted: 429,
  upstream_failed: 500,
  unreachable: 502,
};

/** RFC 9110 wants a challenge with every 401; clients look for exactly this one before they refresh. */
const CHALLENGE = 'Bearer error="invalid_token"';

/** Limits that a service refuses by are limits of a rolling minute. */
const RETRY_AFTER_SECS = '60';

/** An answer on its way out of a handler or an `authenticate`, where the refusals' table does not fit. */
export class HttpError extends Error {
  readonly response: JsonResponse;

  constructor(status: number, body: unknown, headers?: ResponseHeaders) {
    super(`answered ${status}`);
    this.name = 'HttpError';
    this.response = json(status, body, headers);
  }
}

/** 401 `{"error": message}` with the challenge a client knows; `/mcp` passes its own. */
export function unauthorized(message: string, challenge: string = CHALLENGE): HttpError {
  return new HttpError(401, { error: message }, { 'WWW-Authenticate': challenge });
}

/** Byte for byte the same for an unknown path, an unknown id and another company's id. */
export const notFoundResponse: JsonResponse = json(404, { error: 'not_found' });

/** A short answer whose code is all there is to say. */
export function codeResponse(status: number, code: string, headers?: ResponseHeaders): JsonResponse {
  return json(status, { error: code, code }, headers);
}

/** The body and the status a refusal has on HTTP. */
function refusalResponse({ code, message, fields, extra }: Refusal): JsonResponse {
  const kind = kindOf(code);
  const status = STATUS_OF[kind];
  if (kind === 'missing') return notFoundResponse;
  if (kind === 'unauthenticated') return unauthorized(message).response;
  if (kind === 'invalid') return json(status, { error: message, code, ...(fields && { errors: fields }), ...extra });
  if (code === 'forbidden') return json(status, { error: code, ...extra });
  const headers = kind === 'exhausted' ? { 'Retry-After': RETRY_AFTER_SECS } : undefined;
  return json(status, { error: code, code, ...extra }, headers);
}

/** An error's answer, and whether the error is ours to look into. */
export interface ErrorResponse {
  readonly answer: JsonResponse;
  readonly failure: boolean;
}

/** Every error has an answer; what an unexpected one says stays inside. */
export function errorResponse(error: unknown, requestId: string): ErrorResponse {
  if (error instanceof HttpError) return { answer: error.response, failure: false };
  // A code this build does not know (a newer service behind an older gateway) is a failure, not a guess.
  if (error instanceof Refused && Object.hasOwn(refusalCodes, error.refusal.code)) {
    return { answer: refusalResponse(error.refusal), failure: false };
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = { error: 'unavailable', request_id: requestId };
    return { answer: json(503, body, { 'Retry-After': '1' }), failure: false };
  }
  return { answer: json(500, { error: 'internal_error', request_id: requestId }), failure: true };
}
