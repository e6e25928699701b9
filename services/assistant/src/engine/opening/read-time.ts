import { vocabularyOf } from '../words/vocabularies.ts';

/** Hours that are said without "AM" or "PM" mean those of the day. */
const FIRST_HOUR_OF_DAY = 7;

/** The time of day in a sentence, as minutes since midnight. `plain`: with figures for number words. */
export function readTimeOfDay(plain: string, language: string): number | undefined {
  const { clock, noon, midnight, am, pm } = vocabularyOf(language).times;
  if (noon.test(plain)) return 12 * 60;
  if (midnight.test(plain)) return 24 * 60;
  for (const { pattern, add, before } of clock) {
    const groups = pattern.exec(plain)?.groups;
    const hour = Number(groups?.['hour'] ?? NaN);
    const minute = Number(groups?.['minute'] ?? 0);
    if (!(hour >= 0 && hour <= 24 && minute < 60)) continue;
    const half = pm.test(plain) ? 'pm' : am.test(plain) ? 'am' : undefined;
    const minutes = hourOfDay(hour, half) * 60 + (before ? -minute : minute) + add;
    return Math.min(Math.max(minutes, 0), 24 * 60);
  }
  return undefined;
}

function hourOfDay(hour: number, half: 'am' | 'pm' | undefined): number {
  if (hour > 12) return hour;
  if (half === 'am') return hour % 12;
  if (half === 'pm') return (hour % 12) + 12;
  return hour < FIRST_HOUR_OF_DAY && hour > 0 ? hour + 12 : hour;
}
