import { invalid, Refused } from '@parley/errors';
import type { Cell } from '../cells/cell.ts';
import type { CompanyTotalsStore } from '../company-totals/company-totals-store.ts';
import type { FactKind } from '../facts/fact.ts';
import type { Owners } from '../owners/owners-client.ts';
import { dayBounds, monthBounds } from '../totals/local-time.ts';
import type { Totals } from '../totals/total-store.ts';
import { readWhenReady } from './read-when-ready.ts';

interface UsageDeps {
  readonly totals: Totals;
  readonly companyTotals: CompanyTotalsStore;
  readonly owners: Owners;
  readonly pollNow: () => void;
}

/** Companies of all time zones are charged for the same time. */
const ZONE = 'UTC';
const KINDS: readonly FactKind[] = ['calls', 'messages'];

/** Refuses what is no month. */
export function requestedMonth(month: string): string {
  if (!/^2[01]\d\d-(0[1-9]|1[0-2])$/.test(month))
    throw new Refused(invalid({ month: ['must be a month such as 2026-11'] }));
  return month;
}

/** The usage of a month, with the current counts of numbers and employees. */
export async function usageOf(
  { companyTotals, totals, owners, pollNow }: UsageDeps,
  companyId: string,
  month: string,
  signal: AbortSignal,
) {
  const [first, last] = monthBounds(month);
  const [[fromMs], [, beforeMs]] = [dayBounds(ZONE, first), dayBounds(ZONE, last)];
  const ready = { companyTotals, ownZones: async () => [ZONE], pollNow };
  const cellOf = async (kind: FactKind): Promise<Cell | undefined> => {
    const everybody = { businessNumberId: '', employeeId: '' };
    const period = { unit: 'month', period: month } as const;
    const [found] = await totals.ofScope({ companyId, kind, zone: ZONE }, everybody, [period], 'total');
    return found?.total;
  };
  const [{ result: cells }, recordingsBytes, numbers, employeeIds, ofAssistants] = await Promise.all([
    readWhenReady(ready, { companyId, zone: ZONE }, signal, () => Promise.all(KINDS.map(cellOf))),
    owners.recordingsBytes(companyId, fromMs, beforeMs),
    owners.numbers(companyId),
    owners.employeeIds(companyId),
    owners.assistantUsage(companyId, month),
  ]);
  const count = (name: string) => cells.reduce((sum, cell) => sum + (cell?.counts[name] ?? 0), 0);
  return {
    minutesIn: count('minutesInbound'),
    minutesOut: count('minutesOutbound'),
    textsIn: count('partsReceived'),
    textsOut: count('parts'),
    recordingsBytes,
    numbers: numbers.length,
    employees: employeeIds.length,
    assistantMinutes: ofAssistants.minutes,
    assistantTokens: ofAssistants.tokens,
  };
}
