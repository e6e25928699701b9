import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { LRUCache } from 'lru-cache';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Facts } from '../facts/fact-store.ts';
import type { FactKind } from '../facts/fact.ts';
import type { Owners } from '../owners/owners-client.ts';
import type { Totals } from '../totals/total-store.ts';
import { type CompanyTotals, dropZones, totalsMade } from './company-totals.ts';
import type { CompanyTotalsStore } from './company-totals-store.ts';
import { computeChanged, computeZone } from './compute-totals.ts';

export interface TotalsWork {
  readonly companyTotals: CompanyTotalsStore;
  readonly facts: Facts;
  readonly totals: Totals;
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
/** The time zones of a company's numbers are cached for this time, or until a report in a new one is requested. */
const ZONES_MS = 10_000;
const COMPANIES = 10_000;

class ClaimLost extends Error {}

/** Makes the totals of companies whose facts have changed: one process at a time for each company. */
export function startTotalsWorker(work: TotalsWork): DueWork {
  const { companyTotals, facts, totals, owners, clock, backgroundWork, log } = work;
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
  return companyTotals.documents.startDueWork({
    name: 'totals',
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    async handle(_, claim) {
      const state = await claim.change((current) => decided({ ...current, run: current.run + 1 }));
      if (!state) return;
      const { companyId, run, changed, epoch } = state;
      let renewedMs = performance.now();
      const renew = async () => {
        if (performance.now() - renewedMs < LEASE_MS / 4) return;
        if (!(await claim.renew())) throw new ClaimLost();
        renewedMs = performance.now();
      };
      if (!state.isBackfilled) {
        for await (const some of owners.facts(companyId)) {
          await facts.putAll(some);
          await renew();
        }
      }
      const made = state.isBackfilled ? state.zones : [];
      const ofNumbers = await zonesOfNumbers(state);
      const zones = [...new Set([...ofNumbers, ...state.requestedZones])];
      if (state.zones.some((zone) => !zones.includes(zone)) || state.droppedZones?.length) {
        const dropped = await claim.change((current) => dropZones(current, zones));
        if (!dropped) throw new ClaimLost();
        for (const zone of dropped.droppedZones ?? []) await totals.removeZone(companyId, zone, run);
      }
      for (const zone of zones) {
        for (const kind of KINDS) {
          const making = { of: { companyId, kind, zone }, run, renew };
          if (made.includes(zone)) await computeChanged(work, making, changed);
          else await computeZone(work, making);
        }
      }
      await claim.finish((current) => totalsMade(current, { zones, changed, epoch }, clock.now()));
    },
  });
}
