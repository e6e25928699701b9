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
  too_early: 425,
  exhausted: 429,
  upstream_failed: 500,
  unreachable: 502,
};

/** RFC 9110 requires a challenge with every 401; clients check for this one before they refresh. */
const CHALLENGE = 'Bearer error="invalid_token"';

/** Limits that a service refuses by are limits of a rolling minute; what is not there yet comes within seconds. */
const RETRY_AFTER_SECS: Partial<Record<RefusalKind, string>> = { exhausted: '60', too_early: '2' };

/** A response that a handler or an `authenticate` throws, where the table of refusals does not fit. */
export class HttpError extends Error {
  readonly response: JsonResponse;

  constructor(status: number, body: unknown, headers?: ResponseHeaders) {
    super(`HTTP ${status}`);
    this.name = 'HttpError';
    this.response = json(status, body, headers);
  }
}

/** 401 `{"error": message}` with the usual challenge; `/mcp` passes its own. */
export function unauthorized(message: string, challenge: string = CHALLENGE): HttpError {
  return new HttpError(401, { error: message }, { 'WWW-Authenticate': challenge });
}

/** Byte for byte the same for an unknown path, an unknown id and another company's id. */
export const notFoundResponse: JsonResponse = json(404, { error: 'not_found' });

/** A refusal without further details. */
export function codeError(status: number, code: string): HttpError {
  return new HttpError(status, { error: code, code });
}

/** The body and the status a refusal has on HTTP. */
export function refusalResponse({ code, message, fields, extra }: Refusal): JsonResponse {
  const kind = kindOf(code);
  const status = STATUS_OF[kind];
  if (kind === 'missing') return notFoundResponse;
  if (kind === 'unauthenticated') return unauthorized(message).response;
  if (kind === 'invalid') return json(status, { error: message, code, ...(fields && { errors: fields }), ...extra });
  const retryAfter = RETRY_AFTER_SECS[kind];
  return json(
    status,
    { error: code, code, ...extra },
    retryAfter === undefined ? undefined : { 'Retry-After': retryAfter },
  );
}

/** An error's response, and whether the error is a defect that has to be looked into. */
export interface ErrorResponse {
  readonly response: JsonResponse;
  readonly defect: boolean;
}

/** Every error has a response; the text of an unexpected one is not shown. */
export function errorResponse(error: unknown, requestId: string): ErrorResponse {
  if (error instanceof HttpError) return { response: error.response, defect: false };
  // An unknown code (a newer service behind an older gateway) is an internal error.
  if (error instanceof Refused && Object.hasOwn(refusalCodes, error.refusal.code)) {
    return { response: refusalResponse(error.refusal), defect: false };
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = { error: 'unavailable', request_id: requestId };
    return { response: json(503, body, { 'Retry-After': '1' }), defect: false };
  }
  return { response: json(500, { error: 'internal_error', request_id: requestId }), defect: true };
}
