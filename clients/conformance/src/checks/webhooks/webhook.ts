import { flag, listOf, someText, text, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';

export const WEBHOOK = {
  id: someText,
  name: text,
  url: text,
  events: listOf(text),
  active: flag,
  created_at: timestamp,
  updated_at: timestamp,
};

/** A subscription that can be saved, to an address where nobody is. */
export function newWebhook(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { name: 'Conformance', url: addressOfNobody(), events: ['number.registration_rejected'], ...fields };
}

/** `.invalid` is never anybody's. */
export function addressOfNobody(): string {
  return `https://${freshWord()}.conformance.invalid/hook`;
}
