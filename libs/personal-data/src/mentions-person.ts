import { decodeMessage, type Event, isEventType } from '@parley/events';
import { mentionsNumber } from './mentions-number.ts';

/** The fields of events and bodies in which a short code or the name of a sender stands for a person. */
const FIELDS = new Set(['from', 'to', 'phone', 'phoneNumber', 'phone_number']);
const isNumber = (person: string) => /^\+\d+$/.test(person);

/** Whether the data of an event is about a person. The name of a sender may be anything, so it counts in fields of numbers only. */
export function eventMentions({ type, data }: Pick<Event, 'type' | 'data'>, person: string): boolean {
  if (isNumber(person)) return mentionsNumber(data, person);
  return Buffer.from(data).includes(person) && isEventType(type) && hasPerson(decodeMessage(type, data), person);
}

/** The same for a text of JSON. */
export function jsonMentions(body: string, person: string): boolean {
  if (isNumber(person)) return mentionsNumber(Buffer.from(body), person);
  return hasPerson(JSON.parse(body), person);
}

function hasPerson(value: unknown, person: string): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.entries(value).some(
    ([name, field]) => (field === person && FIELDS.has(name)) || hasPerson(field, person),
  );
}
