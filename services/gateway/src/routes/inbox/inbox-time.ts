import { z } from 'zod';

/** ISO 8601 with a time zone, in its extended or its basic format; seconds and their fraction may be left out. */
const ISO_TIMES = [
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i,
  /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?:\d{2})?)$/i,
];

/** A time as clients pass it back, exact to the microsecond: `Date` would lose the last three digits. */
export const microsTime = z
  .string()
  .max(64)
  .transform((text, context) => {
    const micros = parseMicros(text);
    if (micros !== undefined) return micros;
    context.addIssue({ code: 'custom', message: 'is not an ISO 8601 time with a time zone' });
    return z.NEVER;
  });

/** Microseconds since 1970; undefined when it is no time. */
export function parseMicros(text: string): bigint | undefined {
  const match = ISO_TIMES.map((format) => format.exec(text)).find((found) => found !== null);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = ''] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const millis = Date.parse(`${local}${extendedZone(zone)}`);
  if (Number.isNaN(millis) || !isCalendarTime(local)) return undefined;
  return BigInt(millis) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** The only format of a zone that `Date.parse` reads. */
function extendedZone(zone: string): string {
  if (zone.toUpperCase() === 'Z') return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** `Date.parse` takes 30 February for 2 March. */
function isCalendarTime(local: string): boolean {
  const parsed = new Date(`${local}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(local);
}
