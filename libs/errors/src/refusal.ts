/**
 * The kind of a refusal code. One kind is one gRPC status on the wire (`@parley/rpc`) and one HTTP status at the
 * gateway (`@parley/http`); a code never decides its status anywhere else.
 */
export type RefusalKind =
  | 'malformed' // malformed request: 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'missing' // unknown, or another company's: 404
  | 'conflict' // the current state does not allow it: 409
  | 'invalid' // invalid fields: 422
  | 'too_early' // not there yet: 425
  | 'exhausted' // rate limit exceeded: 429
  | 'upstream_failed' // a dependency responded with an error: 500
  | 'unreachable'; // a dependency did not respond: 502

/** Every code a service may refuse with. `docs/errors.md` has one line for each. */
export const refusalCodes = {
  invalid_request: 'malformed',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  not_controller: 'forbidden',
  not_participant: 'forbidden',
  destination_not_allowed: 'forbidden',
  supervision_disabled: 'forbidden',
  not_found: 'missing',
  conflict: 'conflict',
  employee_in_use: 'conflict',
  assistant_in_use: 'conflict',
  assistant_not_in_call: 'conflict',
  takeover_in_progress: 'conflict',
  last_owner: 'conflict',
  invalid_idempotency_key: 'conflict',
  idempotency_key_conflict: 'conflict',
  not_retryable: 'conflict',
  deletion_in_progress: 'conflict',
  call_not_transferable: 'conflict',
  call_not_in_conversation: 'conflict',
  employee_unavailable: 'conflict',
  supervision_in_progress: 'conflict',
  target_unavailable: 'conflict',
  transfer_in_progress: 'conflict',
  transfer_not_consulting: 'conflict',
  transfer_not_open: 'conflict',
  validation_failed: 'invalid',
  invalid_cursor: 'invalid',
  limit_reached: 'invalid',
  invalid_transition: 'invalid',
  invalid_kind: 'invalid',
  blank_text: 'invalid',
  invalid_target: 'invalid',
  unsupported_format: 'invalid',
  sending_unavailable: 'invalid',
  recipient_opted_out: 'invalid',
  provider_rejected: 'invalid',
  recording_not_ready: 'too_early',
  rate_limited: 'exhausted',
  too_many_calls: 'exhausted',
  speech_failed: 'upstream_failed',
  provider_unavailable: 'unreachable',
  esl_unreachable: 'unreachable',
} as const satisfies Record<string, RefusalKind>;

/** A code a service may refuse with. */
export type RefusalCode = keyof typeof refusalCodes;

/** A rejection that the caller can act on: a value in the domain, shown to the caller unchanged. */
export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence for a person. */
  readonly message: string;
  /** Field path to what is wrong with it, for `invalid` refusals. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** Further keys of the answer's body, such as `main_numbers`; plain JSON. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal as an exception: thrown where a value cannot be returned, caught once, at the edge. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}`);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** Builds a refusal. */
export function refusal(code: RefusalCode, message: string, more: Pick<Refusal, 'fields' | 'extra'> = {}): Refusal {
  return { code, message, ...more };
}

/** A refusal of named fields: `invalid({ phone: ['has already been taken'] })`. */
export function invalid(fields: Record<string, readonly string[]>): Refusal {
  const [path, messages] = Object.entries(fields)[0] ?? ['', ['is invalid']];
  return refusal('validation_failed', `${path} ${messages[0] ?? 'is invalid'}`.trim(), { fields });
}

/** The refusal for an unknown id and for another company's. */
export const notFound: Refusal = refusal('not_found', 'not_found');

/** Undefined instead of the refusal `notFound`. */
export async function unlessNotFound<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
    throw error;
  }
}

/** The kind of a refusal code. */
export function kindOf(code: RefusalCode): RefusalKind {
  return refusalCodes[code];
}
