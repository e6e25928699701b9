import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import {
  type Countable,
  type Fact,
  type FactKind,
  mergeFacts,
  setCounted,
  trackChange,
  type TrackedFact,
} from './fact.ts';

/** Every call and text that counts in reports. */
export interface Facts {
  /** Stores what events say, in their order; `countedBy`: the run that is about to make all totals from them. */
  putAll(facts: readonly Fact[], countedBy?: number): Promise<void>;
  /** Those that belong to a time, from its begin to before its end. */
  between(companyId: string, kind: FactKind, fromMs: number, toMs: number): AsyncIterable<TrackedFact>;
  /** Those of some people in a time, by person, each in the order of time. */
  ofPeople(companyId: string, people: readonly string[], fromMs: number, toMs: number): AsyncIterable<TrackedFact>;
  /** Those that totals do not have as they are, the longest first. */
  uncounted(companyId: string, limit: number): Promise<TrackedFact[]>;
  /** Those that totals do not have as they are, but among what these people did. */
  countedOfPeople(companyId: string, people: readonly string[]): AsyncIterable<TrackedFact>;
  /** Totals have them in these forms now. `read`: as `uncounted` has read them, if it was in this process. */
  setCounted(counted: readonly CountedFact[], run: number, read?: readonly TrackedFact[]): Promise<void>;
  /** Totals are about to be made of all facts as they are. */
  setAllCounted(companyId: string, run: number): Promise<void>;
  /** The times of the first and the last one. */
  span(companyId: string, kind: FactKind): Promise<readonly [Date, Date] | undefined>;
}

/** A fact in the form in which totals have it. */
export interface CountedFact {
  readonly id: string;
  readonly as: Countable;
}

const isUncounted = { uncountedSince: { $gt: new Date(0) } };
/** Facts of one command. */
const GROUP = 100;
const TRIES_MAX = 10;

export async function openFacts(db: Db): Promise<Facts> {
  const facts = await openDocuments<TrackedFact>({
    db,
    collection: 'facts',
    indexes: [
      { key: { companyId: 1, kind: 1, at: 1 }, name: 'by_time' },
      {
        key: { companyId: 1, person: 1, at: 1 },
        name: 'by_person',
        partialFilterExpression: { person: { $exists: true } },
      },
      { key: { companyId: 1, uncountedSince: 1 }, name: 'uncounted', partialFilterExpression: isUncounted },
    ],
  });
  const ofPeople: Facts['ofPeople'] = (companyId, people, fromMs, toMs) =>
    facts
      .of(companyId)
      .find(
        { person: { $in: [...people] }, at: { $gte: new Date(fromMs), $lt: new Date(toMs) } },
        { person: 1, at: 1 },
      );
  const readAll = (ids: readonly string[]) =>
    facts.bulk.readPage({ filter: { id: { $in: [...ids] } }, sort: { id: 1 }, limit: ids.length });

  /** Returns the ids of those that another process has changed meanwhile. */
  async function putGroup(group: readonly Fact[], countedBy: number | undefined): Promise<string[]> {
    const found = await readAll([...new Set(group.map(({ id }) => id))]);
    const stored = new Map(found.map((fact) => [fact.id, fact]));
    const merged = new Map(stored);
    for (const fact of group) {
      const current = merged.get(fact.id);
      const next = trackChange(current, mergeFacts(current, fact));
      merged.set(fact.id, countedBy === undefined ? next : setCounted(next, next, countedBy));
    }
    const created = [...merged.values()].filter(({ id }) => !stored.has(id));
    const changed = [...merged.values()].flatMap((to) => {
      const from = stored.get(to.id);
      return from && from !== to ? [{ from, to }] : [];
    });
    const [isCreated, isChanged] = await Promise.all([
      created.length > 0 ? facts.bulk.createMissing(created) : [],
      facts.bulk.replaceUnchanged(changed),
    ]);
    return [
      ...created.filter((_, index) => !isCreated[index]).map(({ id }) => id),
      ...changed.filter((_, index) => !isChanged[index]).map(({ to }) => to.id),
    ];
  }

  /** Returns those that another process has changed meanwhile. */
  async function countGroup(
    group: readonly CountedFact[],
    read: readonly TrackedFact[],
    run: number,
  ): Promise<CountedFact[]> {
    const byId = new Map(group.map((counted) => [counted.id, counted]));
    const changes = read.flatMap((from) => {
      const counted = byId.get(from.id);
      const to = counted ? setCounted(from, counted.as, run) : from;
      return to === from ? [] : [{ from, to }];
    });
    const isWritten = await facts.bulk.replaceUnchanged(changes);
    return changes.flatMap(({ from }, index) => (isWritten[index] ? [] : byId.get(from.id)!));
  }

  return {
    async putAll(all, countedBy) {
      for (let left = all, tries = 1; left.length > 0; tries++) {
        if (tries > TRIES_MAX) throw new Error(`${left.length} facts were changed by others again and again`);
        const unwritten = new Set<string>();
        for (let first = 0; first < left.length; first += GROUP)
          for (const id of await putGroup(left.slice(first, first + GROUP), countedBy)) unwritten.add(id);
        left = left.filter(({ id }) => unwritten.has(id));
      }
    },
    between: (companyId, kind, fromMs, toMs) =>
      facts.of(companyId).find({ kind, at: { $gte: new Date(fromMs), $lt: new Date(toMs) } }, { at: 1 }),
    ofPeople,
    uncounted: (companyId, limit) =>
      facts.bulk.readPage({
        filter: { companyId, ...isUncounted },
        sort: { uncountedSince: 1 },
        limit,
        index: 'uncounted',
      }),
    countedOfPeople: (companyId, people) =>
      facts
        .of(companyId)
        .find(
          { ...isUncounted, 'countedAs.person': { $in: [...people] } },
          { uncountedSince: 1 },
          undefined,
          'uncounted',
        ),
    async setCounted(counted, run, read) {
      for (let left = counted, known = read; left.length > 0; known = undefined) {
        const unwritten: CountedFact[] = [];
        for (let first = 0; first < left.length; first += GROUP) {
          const group = left.slice(first, first + GROUP);
          const found = known?.slice(first, first + GROUP) ?? (await readAll(group.map(({ id }) => id)));
          unwritten.push(...(await countGroup(group, found, run)));
        }
        left = unwritten;
      }
    },
    async setAllCounted(companyId, run) {
      const counted = { uncountedSince: null, countedAs: null, countedRun: run };
      await facts.bulk.assignAll({ companyId, ...isUncounted }, counted);
    },
    async span(companyId, kind) {
      const end = async (direction: 1 | -1) => {
        for await (const { at } of facts.of(companyId).find({ kind }, { at: direction }, 1)) return at;
        return undefined;
      };
      const [first, last] = await Promise.all([end(1), end(-1)]);
      return first && last ? [first, last] : undefined;
    },
  };
}
