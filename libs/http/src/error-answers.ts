import { kindOf, type Refusal, type RefusalKind, Refused, refusalCodes } from '@parley/errors';
import { type AnswerHeaders, answer, type JsonAnswer } from './answer.ts';

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
  readonly answer: JsonAnswer;

  constructor(status: number, body: unknown, headers?: AnswerHeaders) {
    super(`answered ${status}`);
    this.name = 'HttpError';
    this.answer = answer(status, body, headers);
  }
}

/** 401 `{"error": message}` with the challenge a client knows; `/mcp` passes its own. */
export function unauthorized(message: string, challenge: string = CHALLENGE): HttpError {
  return new HttpError(401, { error: message }, { 'WWW-Authenticate': challenge });
}

/** Byte for byte the same for an unknown path, an unknown id and another company's id. */
export const notFoundAnswer: JsonAnswer = answer(404, { error: 'not_found' });

/** A short answer whose code is all there is to say. */
export function codeAnswer(status: number, code: string, headers?: AnswerHeaders): JsonAnswer {
  return answer(status, { error: code, code }, headers);
}

/** The body and the status a refusal has on HTTP. */
function refusalAnswer({ code, message, fields, extra }: Refusal): JsonAnswer {
  const kind = kindOf(code);
  const status = STATUS_OF[kind];
  if (kind === 'missing') return notFoundAnswer;
  if (kind === 'unauthenticated') return unauthorized(message).answer;
  if (kind === 'invalid') return answer(status, { error: message, code, ...(fields && { errors: fields }), ...extra });
  if (code === 'forbidden') return answer(status, { error: code, ...extra });
  const headers = kind === 'exhausted' ? { 'Retry-After': RETRY_AFTER_SECS } : undefined;
  return answer(status, { error: code, code, ...extra }, headers);
}

/** An error's answer, and whether the error is ours to look into. */
export interface ErrorAnswer {
  readonly answer: JsonAnswer;
  readonly failure: boolean;
}

/** Every error has an answer; what an unexpected one says stays inside. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof HttpError) return { answer: error.answer, failure: false };
  // A code this build does not know (a newer service behind an older gateway) is a failure, not a guess.
  if (error instanceof Refused && Object.hasOwn(refusalCodes, error.refusal.code)) {
    return { answer: refusalAnswer(error.refusal), failure: false };
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = { error: 'unavailable', request_id: requestId };
    return { answer: answer(503, body, { 'Retry-After': '1' }), failure: false };
  }
  return { answer: answer(500, { error: 'internal_error', request_id: requestId }), failure: true };
}
