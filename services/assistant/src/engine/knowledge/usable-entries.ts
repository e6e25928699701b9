import { Temporal } from 'temporal-polyfill';
import type { KnowledgeEntryFacts } from './knowledge-entry.ts';

interface CalledNumber {
  readonly number: { readonly id: string; readonly timezone: string };
  readonly now: Date;
}

/** Tells which entries are for the called number, and not out of date by its clocks. */
export function usableEntries({ number, now }: CalledNumber): (entry: KnowledgeEntryFacts) => boolean {
  let today: string | undefined;
  return ({ businessNumberIds, validUntil }) => {
    if (businessNumberIds.length > 0 && !businessNumberIds.includes(number.id)) return false;
    if (validUntil === null) return true;
    today ??= Temporal.Instant.fromEpochMilliseconds(now.getTime())
      .toZonedDateTimeISO(number.timezone)
      .toPlainDate()
      .toString();
    return validUntil >= today;
  };
}
