import { invalid, type Refusal, refusal } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { Attempt, OutboundMessage } from './message.ts';
import { keyConflict, PROVIDER_UNAVAILABLE } from './outbound-message.ts';

const TEXT_LENGTH_MAX = 10_000;
const KEY_LENGTH_MAX = 128;

export const unsupportedFormat = refusal('unsupported_format', 'unsupported_format');
export const sendingUnavailable = refusal('sending_unavailable', 'sending_unavailable');
export const destinationNotAllowed = refusal('destination_not_allowed', 'The company may not text this number.');
export const recipientOptedOut = refusal('recipient_opted_out', 'recipient_opted_out');
export const rateLimited = refusal('rate_limited', 'rate_limited');
const invalidKey = refusal('invalid_idempotency_key', 'an idempotency key of 1 to 128 characters is needed');

type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal };

/** A client's key as it is stored: apart from the keys of automation. */
export function readClientKey(given: string): Read<string> {
  // Characters as people count them, not UTF-16 units.
  const { length } = [...given];
  return length >= 1 && length <= KEY_LENGTH_MAX
    ? { ok: true, value: `client:${given}` }
    : { ok: false, refusal: invalidKey };
}

/** Recipient and text; a national number is read by the company's country. */
export function readContent(given: { to: string; text: string }, country: string): Read<{ to: string; text: string }> {
  const to = readPhoneNumber(given.to, country)?.number;
  const problems: Record<string, string[]> = {};
  if (to === undefined) problems['to'] = [given.to.trim() === '' ? 'is required' : 'is not a valid phone number'];
  if (given.text.trim() === '') problems['text'] = ['must not be blank'];
  else if ([...given.text].length > TEXT_LENGTH_MAX)
    problems['text'] = [`is too long (maximum is ${TEXT_LENGTH_MAX} characters)`];
  if (to === undefined || Object.keys(problems).length > 0) return { ok: false, refusal: invalid(problems) };
  return { ok: true, value: { to, text: given.text } };
}

/** Why a key that has been used cannot be replayed for this request; undefined when it can. */
export function replayProblem(
  known: OutboundMessage,
  knownText: string,
  request: { key: string; to: string; text: string; employeeId: string },
): Refusal | undefined {
  const [first] = known.attempts;
  const same =
    first?.key === request.key &&
    first.employeeId === request.employeeId &&
    known.to === request.to &&
    knownText === request.text;
  return same ? undefined : keyConflict;
}

/** The refusal of a failed attempt; undefined when the provider accepted it. */
export function attemptRefusal(messageId: string, { status, failureCode }: Attempt): Refusal | undefined {
  const extra = { message_id: messageId };
  if (status === 'accepted' || status === 'delivered') return undefined;
  if (status === 'failed' && failureCode !== PROVIDER_UNAVAILABLE)
    return refusal('provider_rejected', 'provider_rejected', { extra });
  return refusal('provider_unavailable', 'provider_unavailable', { extra });
}
