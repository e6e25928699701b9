import { z } from 'zod';

const ISO_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** A time as clients pass it back, exact to the microsecond: `Date` would lose the last three digits. */
export const microsTime = z
  .string()
  .max(64)
  .transform((text, context) => {
    const [, seconds, fraction = '', zone] = ISO_TIME.exec(text) ?? [];
    const millis = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
    if (Number.isNaN(millis) || !isCalendarTime(seconds ?? '')) {
      context.addIssue({ code: 'custom', message: 'is not an ISO 8601 time with a time zone' });
      return z.NEVER;
    }
    return BigInt(millis) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
  });

/** `Date.parse` takes 30 February for 2 March. */
function isCalendarTime(seconds: string): boolean {
  const parsed = new Date(`${seconds}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(seconds);
}
