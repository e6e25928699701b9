import { decodeMessage, type Event, isEventType } from '@parley/events';

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Searches for a complete phone number (E.164), not for the beginning of a longer one. In protobuf the length is in front of a
 * text, and the byte after the text may look like a digit; in JSON a quotation mark follows.
 */
export function mentionsNumber(bytes: Uint8Array, phoneNumber: string): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = content.indexOf(phoneNumber); at >= 0; at = content.indexOf(phoneNumber, at + 1)) {
    if (content[at - 1] === phoneNumber.length || !isDigit(content[at + phoneNumber.length])) return true;
  }
  return false;
}

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
