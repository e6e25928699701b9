import type { Facts } from '../facts/fact-store.ts';
import { countable, type FactKind, type TrackedFact } from '../facts/fact.ts';
import type { TotalChange, Totals } from '../totals/total-store.ts';
import type { Batch, Batches } from './batch-store.ts';
import { changedTotals } from './changed-totals.ts';
import type { Histories } from './histories.ts';

export interface CountDeps {
  readonly facts: Facts;
  readonly histories: Histories;
  readonly totals: Totals;
  readonly batches: Batches;
}

type BatchDeps = Omit<CountDeps, 'histories'>;

/** Facts that one run counts. */
const BATCH = 1000;
/** Changes of one run. Its batch is one document, and each change has less than a kilobyte. */
const CHANGES_MAX = 10_000;

/**
 * Adds facts to the totals that have changed since they were counted; false when more are left. It costs what the changed facts and the
 * histories of their people do, however many facts the day has. The changes are stored before they are added, so that a process
 * that takes over adds the same ones, each once.
 */
export async function countChanges(
  deps: CountDeps,
  {
    companyId,
    zones,
    run,
    renew,
  }: { companyId: string; zones: readonly string[]; run: number; renew(): Promise<void> },
): Promise<boolean> {
  const { facts, histories, batches } = deps;
  const read = await facts.uncounted(companyId, BATCH);
  if (read.length === 0) return true;
  let counted = read;
  let changes = await changesOf(histories, companyId, zones, counted);
  while (changes.length > CHANGES_MAX && counted.length > 1) {
    counted = counted.slice(0, Math.ceil(counted.length / 2));
    changes = await changesOf(histories, companyId, zones, counted);
  }
  const batch = { companyId, run, changes, facts: counted.map((fact) => ({ id: fact.id, as: countable(fact) })) };
  await batches.write(batch);
  // Who takes over from now on finds the batch.
  await renew();
  await addBatch(deps, batch, counted);
  return read.length < BATCH && counted.length === read.length;
}

/** Ends what a process began that was killed. */
export async function endBatch(deps: BatchDeps, companyId: string, endedRun: number): Promise<void> {
  const batch = await deps.batches.readAfter(companyId, endedRun);
  if (batch) await addBatch(deps, batch);
}

async function addBatch({ facts, totals }: BatchDeps, batch: Batch, read?: readonly TrackedFact[]): Promise<void> {
  await totals.add(batch.changes, batch.run);
  await facts.setCounted(batch.facts, batch.run, read);
}

async function changesOf(
  histories: Histories,
  companyId: string,
  zones: readonly string[],
  read: readonly TrackedFact[],
): Promise<TotalChange[]> {
  const others = await histories.of(companyId, zones, read);
  return [...Map.groupBy(read, ({ kind }) => kind)].flatMap(([kind, own]) =>
    zones.flatMap((zone) => changedTotals(zone, own, others).map((change) => withZone(change, companyId, kind, zone))),
  );
}

const withZone = (
  change: Omit<TotalChange, 'companyId' | 'kind' | 'zone'>,
  companyId: string,
  kind: FactKind,
  zone: string,
) => ({
  companyId,
  kind,
  zone,
  ...change,
});
