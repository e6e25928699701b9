import type { RecordedEvent } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';

/** A payload of any type of event: the dashboard shows also those that are new. */
type Data = Readonly<Record<string, unknown>>;

/** Where the subject of an event is in its data: the first of these that is there. */
const SUBJECTS = [
  ['contact', 'name'],
  ['contact', 'phone'],
  ['employee', 'name'],
  ['main_number', 'number'],
  ['thread', 'phone_number'],
  ['audit_event', 'object', 'name'],
  ['audit_event', 'type'],
] as const;

/** Whom or what an event is about: the number outside the company, or a name. */
export function subjectText({ data }: { readonly data: object }): string {
  const customer = customerIn(data) ?? customerIn((data as Data)['message']);
  if (customer !== undefined) return customer === 'anonymous' ? t('Unknown number') : phoneText(customer);
  for (const path of SUBJECTS) {
    const text = textAt(data, path);
    if (text) return phoneText(text);
  }
  return '–';
}

/** Of calls, voicemails, sessions of assistants and texts. */
function customerIn(data: unknown): string | undefined {
  return textAt(data, [textAt(data, ['direction']) === 'outbound' ? 'to' : 'from']);
}

function textAt(data: unknown, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>((object, name) => (object as Data | null | undefined)?.[name], data);
  return typeof value === 'string' ? value : undefined;
}

export function payloadText({ event, timestamp, data }: Readonly<Record<keyof RecordedEvent, unknown>>): string {
  return JSON.stringify({ event, timestamp, data }, null, 2);
}

const HOUR_MS = 3600_000;
const DAYS = { today: 0, week: 6, month: 29 } as const;

/** The beginnings of a list of events, with the usual one first. */
export const beginnings = () =>
  [
    ['today', t('Today')],
    ['hour', t('Last hour')],
    ['week', t('Last 7 days')],
    ['month', t('Last 30 days')],
  ] as const;

/** The time of a beginning; of an unknown one that of the usual one. */
export function beginningOf(name: string, now = new Date()): string {
  if (name === 'hour') return new Date(now.getTime() - HOUR_MS).toISOString();
  const days = Object.hasOwn(DAYS, name) ? DAYS[name as keyof typeof DAYS] : DAYS.today;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();
}
