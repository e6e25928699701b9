import { flag, nullable, oneOf, text, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';

const STATUS = oneOf('on_call', 'do_not_disturb', 'ringing', 'available', 'logged_out', 'unknown');

export const EMPLOYEE = {
  id: text,
  name: text,
  email: text,
  phone: nullable(text),
  invitation_pending: flag,
  status: STATUS,
  do_not_disturb: flag,
  do_not_disturb_activated_at: nullable(timestamp),
  do_not_disturb_expires_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
};

/** Mail is sent after the answer. */
export const MAILED_WITHIN = { withinMs: 30_000 };

export function freshEmail(): string {
  return `conformance.${freshWord()}@example.com`;
}

/** What is sent for a new employee, with an address that nobody has. */
export function newcomer(details: object = {}): { name: string; email: string } {
  return { name: 'Ane Holm', email: freshEmail(), ...details };
}
