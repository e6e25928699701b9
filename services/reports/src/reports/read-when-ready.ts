import { setTimeout as sleep } from 'node:timers/promises';
import { type CompanyTotals, isZonePending, isZoneReady, firstUncounted } from '../company-totals/company-totals.ts';
import type { CompanyTotalsStore } from '../company-totals/company-totals-store.ts';

export interface ReadyTotalsDeps {
  readonly companyTotals: Pick<CompanyTotalsStore, 'get' | 'requestZone'>;
  /** The time zones that a company has anyway. */
  readonly ownZones: (companyId: string) => Promise<readonly string[]>;
  /** Computes requested totals at once. */
  readonly pollNow: () => void;
}

const MADE_POLL_MS = 50;

/**
 * Reads totals of a time zone, which are computed first where they do not exist. Reads again if the time zone was dropped
 * meanwhile. `since`: from when there are changes that are not in them.
 */
export async function readWhenReady<Result>(
  deps: ReadyTotalsDeps,
  of: { readonly companyId: string; readonly zone: string },
  signal: AbortSignal,
  read: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly since: Date | null }> {
  for (;;) {
    signal.throwIfAborted();
    const before = await zoneMade(deps, of, signal);
    const result = await read();
    const after = await deps.companyTotals.get(of.companyId);
    if (after && isZoneReady(after, of.zone, before)) return { result, since: firstUncounted(before) };
  }
}

async function zoneMade(
  { companyTotals, ownZones, pollNow }: ReadyTotalsDeps,
  { companyId, zone }: { readonly companyId: string; readonly zone: string },
  signal: AbortSignal,
): Promise<CompanyTotals> {
  let state = await companyTotals.get(companyId);
  if (state && isZoneReady(state, zone)) return state;
  const isLimited = !(await ownZones(companyId)).includes(zone);
  const want = async () => {
    const wanted = await companyTotals.requestZone(companyId, { zone, isLimited });
    pollNow();
    return wanted;
  };
  state = await want();
  while (!isZoneReady(state, zone)) {
    await sleep(MADE_POLL_MS, undefined, { signal });
    state = await companyTotals.get(companyId);
    // It may have given way to others before it was made.
    if (!state || (!isZoneReady(state, zone) && !isZonePending(state, zone))) state = await want();
  }
  return state;
}
