/** Whom a body is about, and since when. */
export interface BodyPeople {
  /** Every phone number in it, E.164, and the short codes and names of senders. */
  readonly phoneNumbers: readonly string[];
  /** When the call began, the text was stored, the contact was changed. */
  readonly since: Date;
}

const PHONE_NUMBER = /"(\+[1-9]\d{4,14})"/g;
const PERSON = /"(?:from|to|phone|phone_number)":("(?:[^"\\]|\\.)*")/g;
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g;

/** `body` is the JSON of a delivery; `sentAt` is when its event happened. */
export function bodyPeople(event: string, body: string, sentAt: Date): BodyPeople {
  const times = Array.from(body.matchAll(TIME), ([, text = '']) => Date.parse(text)).filter((time) => time > 0);
  // An older contact may get a number after its erasure, so the time of the change decides.
  const since = event.startsWith('contact.') ? sentAt.getTime() : Math.min(sentAt.getTime(), ...times);
  const numbers = Array.from(body.matchAll(PHONE_NUMBER), ([, number = '']) => number);
  const people = Array.from(body.matchAll(PERSON), ([, text = '""']) => JSON.parse(text) as string);
  return {
    phoneNumbers: [...new Set([...numbers, ...people])],
    since: new Date(since),
  };
}
