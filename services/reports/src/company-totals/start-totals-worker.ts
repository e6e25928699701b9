import type { BackgroundWork, Clock } from '@parley/clock';
import { LRUCache } from 'lru-cache';
import type { DueClaim, DueWork, NoEffects } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import { pauseForRequests, runLongWork } from '@parley/queues';
import type { Facts } from '../facts/fact-store.ts';
import type { FactKind } from '../facts/fact.ts';
import type { Owners } from '../owners/owners-client.ts';
import type { Totals } from '../totals/total-store.ts';
import type { Batches } from './batch-store.ts';
import { type CompanyTotals, dropZones, startRun, endRun } from './company-totals.ts';
import type { CompanyTotalsStore } from './company-totals-store.ts';
import { computeZone } from './compute-totals.ts';
import { countChanges, endBatch } from './count-changes.ts';
import { openHistories } from './histories.ts';

export interface TotalsWork {
  readonly companyTotals: CompanyTotalsStore;
  readonly facts: Facts;
  readonly totals: Totals;
  readonly batches: Batches;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

const KINDS: readonly FactKind[] = ['calls', 'messages'];
/** Companies at a time in one process. */
const CONCURRENCY = 4;
const LEASE_MS = 20_000;
const POLL_MS = 500;
/** A report may wait for the totals. */
const HURRY_MS = 1000;
/** The time zones of a company's numbers are cached for this time, or until a report in a new one is requested. */
const ZONES_MS = 10_000;
const COMPANIES = 10_000;

class ClaimLost extends Error {}

/** Makes the totals of companies whose facts have changed: one process at a time for each company. */
export function startTotalsWorker(work: TotalsWork): DueWork {
  const { companyTotals, facts, totals, owners, clock, backgroundWork, log } = work;
  const counting = { ...work, histories: openHistories(facts) };
  const zonesRead = new LRUCache<string, readonly string[]>({ max: COMPANIES, ttl: ZONES_MS });
  /** Those that are known, while numbers-routing does not respond. */
  const zonesOfNumbers = async ({ companyId, requestedZones, zones: known }: CompanyTotals) => {
    const cached = zonesRead.get(companyId);
    if (cached && requestedZones.every((zone) => known.includes(zone))) return cached;
    try {
      const zones = [...new Set((await owners.numbers(companyId)).map(({ zone }) => zone))];
      zonesRead.set(companyId, zones);
      return zones;
    } catch (error) {
      log.warn({ err: error }, 'time zones not read; the known ones are used');
      return known;
    }
  };
  async function makeTotals(claim: DueClaim<CompanyTotals, NoEffects>): Promise<void> {
    const state = await claim.saveProgress(startRun);
    if (!state) return;
    const { companyId, run, epoch } = state;
    let renewedMs = performance.now();
    const renewNow = async () => {
      if (!(await claim.renew())) throw new ClaimLost();
      renewedMs = performance.now();
    };
    const renew = async () => {
      if (performance.now() - renewedMs >= LEASE_MS / 4) await renewNow();
    };
    if (!state.isBackfilled) {
      for await (const some of owners.facts(companyId)) {
        await facts.putAll(some, run);
        await renew();
        await pauseForRequests();
      }
    }
    const existing = state.isBackfilled ? state.zones : [];
    if (existing.length === 0) await facts.setAllCounted(companyId, run);
    else await endBatch(work, companyId, state.endedRun);
    const ofNumbers = await zonesOfNumbers(state);
    const zones = [...new Set([...ofNumbers, ...state.requestedZones])];
    if (state.zones.some((zone) => !zones.includes(zone)) || state.droppedZones.length > 0) {
      const dropped = await claim.saveProgress((current) => dropZones(current, zones));
      if (!dropped) throw new ClaimLost();
      for (const zone of dropped.droppedZones) await totals.removeZone(companyId, zone, run);
    }
    const missing = zones.filter((zone) => !existing.includes(zone));
    for (const zone of missing)
      for (const kind of KINDS) await computeZone(work, { of: { companyId, kind, zone }, run, renew });
    // Totals that this run has made take no changes from it: the next one adds them.
    const isAll =
      missing.length === 0
        ? await countChanges(counting, { companyId, zones, run, renew: renewNow })
        : existing.length === 0;
    await claim.finish((current) => endRun(current, { zones, isAll, epoch }, clock.now()));
  }

  return companyTotals.documents.startDueWork({
    name: 'totals',
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    handle: (_, claim) => runLongWork(() => makeTotals(claim), { hurryMs: HURRY_MS }),
  });
}
