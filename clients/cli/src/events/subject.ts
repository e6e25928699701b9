import type { RecordedEvent } from '@parley/sdk';

/** What an event is about, in a few words; the fields that say most come first. */
export function subjectOf({ data }: Pick<RecordedEvent, 'data'>): string {
  const fields = fieldsOf(data);
  const object = ['contact', 'employee', 'message', 'thread', 'main_number', 'audit_event']
    .map((name) => fields[name])
    .find((value) => value !== undefined);
  const { name, phone, phone_number: number, type, from, to, text, ...rest } = fieldsOf(object ?? fields);
  const said = [
    name,
    type,
    phone,
    number ?? rest['number'],
    from && to ? `${String(from)} → ${String(to)}` : from,
    text,
  ];
  return said.filter((value) => typeof value === 'string' && value !== '').join(' ');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
