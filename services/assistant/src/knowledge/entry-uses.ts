/** How often an entry was an answer, by day (UTC). Its size is bounded: days that do not count any more are left out. */
export interface EntryUses {
  /** That of the entry. */
  readonly id: string;
  readonly companyId: string;
  /** By YYYY-MM-DD. */
  readonly days: Readonly<Record<string, number>>;
}

const DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

export function addUse(
  identity: Pick<EntryUses, 'id' | 'companyId'>,
  current: EntryUses | undefined,
  now: Date,
): EntryUses {
  const counted = Object.entries(current?.days ?? {}).filter(([day]) => day > lastUncounted(now));
  const days: Record<string, number> = Object.fromEntries(counted);
  const today = dayOf(now);
  days[today] = (days[today] ?? 0) + 1;
  return { ...identity, days };
}

/** Uses of the last 90 days, today among them. */
export function usesUntil({ days }: EntryUses, now: Date): number {
  const after = lastUncounted(now);
  return Object.entries(days).reduce((sum, [day, count]) => (day > after ? sum + count : sum), 0);
}

function lastUncounted(now: Date): string {
  return dayOf(new Date(now.getTime() - DAYS * DAY_MS));
}
