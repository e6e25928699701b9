import { coalesce } from '@parley/queues';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type Fact, type FactKind, mergeFacts } from './fact.ts';

/** Every call and text that counts in reports. */
export interface Facts {
  /** Stores what events say, in their order; returns for each the fact before it. */
  putAll(facts: readonly Fact[]): Promise<(Fact | undefined)[]>;
  /** Those that belong to a time, from its begin to before its end. */
  between(companyId: string, kind: FactKind, fromMs: number, toMs: number): AsyncIterable<Fact>;
  /** Those of some people in a time, by person, each in the order of time. */
  ofPeople(companyId: string, people: readonly string[], fromMs: number, toMs: number): AsyncIterable<Fact>;
  /** Those of some people in a time after a moment; requests at the same time are one query. */
  later(companyId: string, people: readonly string[], atMs: number, withinMs: number): Promise<Fact[]>;
  /** The times of the first and the last one. */
  span(companyId: string, kind: FactKind): Promise<readonly [Date, Date] | undefined>;
}

/** Facts of one command. */
const GROUP = 100;
const TRIES_MAX = 10;

export async function openFacts(db: Db): Promise<Facts> {
  const facts = await openDocuments<Fact>({
    db,
    collection: 'facts',
    indexes: [
      { key: { companyId: 1, kind: 1, at: 1 }, name: 'by_time' },
      {
        key: { companyId: 1, person: 1, at: 1 },
        name: 'by_person',
        partialFilterExpression: { person: { $exists: true } },
      },
    ],
  });
  const ofPeople: Facts['ofPeople'] = (companyId, people, fromMs, toMs) =>
    facts
      .of(companyId)
      .find(
        { person: { $in: [...people] }, at: { $gte: new Date(fromMs), $lt: new Date(toMs) } },
        { person: 1, at: 1 },
      );
  interface Moment {
    readonly companyId: string;
    readonly people: readonly string[];
    readonly atMs: number;
    readonly withinMs: number;
  }
  const later = coalesce(async (moments: readonly Moment[]) => {
    const byCompany = await Promise.all(
      [...Map.groupBy(moments, ({ companyId }) => companyId)].map(async ([companyId, own]) => {
        const times = own.map(({ atMs }) => atMs);
        const people = new Set(own.flatMap((moment) => moment.people));
        const [from, to] = [Math.min(...times) + 1, Math.max(...own.map(({ atMs, withinMs }) => atMs + withinMs))];
        return [companyId, await Array.fromAsync(ofPeople(companyId, [...people], from, to))] as const;
      }),
    );
    const found = new Map(byCompany);
    return moments.map(({ companyId, people, atMs, withinMs }) =>
      (found.get(companyId) ?? []).filter(({ person, at }) => {
        const afterMs = at.getTime() - atMs;
        return people.includes(person ?? '') && afterMs > 0 && afterMs < withinMs;
      }),
    );
  });
  /** Notes the fact before each; returns the ids of those that another process has changed meanwhile. */
  async function putGroup(group: readonly Fact[], before: Map<Fact, Fact | undefined>): Promise<string[]> {
    const ids = [...new Set(group.map(({ id }) => id))];
    const filter = { id: { $in: ids } };
    const found = await facts.bulk.readPage({ filter, sort: { id: 1 }, limit: ids.length });
    const stored = new Map(found.map((fact) => [fact.id, fact]));
    const merged = new Map(stored);
    for (const fact of group) {
      const current = merged.get(fact.id);
      before.set(fact, current);
      merged.set(fact.id, mergeFacts(current, fact));
    }
    const created = [...merged.values()].filter(({ id }) => !stored.has(id));
    const changed = [...merged.values()].flatMap((to) => {
      const from = stored.get(to.id);
      return from && from !== to ? [{ from, to }] : [];
    });
    const [isCreated, isChanged] = await Promise.all([
      created.length > 0 ? facts.bulk.createMissing(created) : [],
      facts.bulk.changeUnchanged(changed),
    ]);
    return [
      ...created.filter((_, index) => !isCreated[index]).map(({ id }) => id),
      ...changed.filter((_, index) => !isChanged[index]).map(({ to }) => to.id),
    ];
  }
  return {
    async putAll(all) {
      const before = new Map<Fact, Fact | undefined>();
      for (let left = all, tries = 1; left.length > 0; tries++) {
        if (tries > TRIES_MAX) throw new Error(`${left.length} facts were changed by others again and again`);
        const unwritten = new Set<string>();
        for (let first = 0; first < left.length; first += GROUP)
          for (const id of await putGroup(left.slice(first, first + GROUP), before)) unwritten.add(id);
        left = left.filter(({ id }) => unwritten.has(id));
      }
      return all.map((fact) => before.get(fact));
    },
    between: (companyId, kind, fromMs, toMs) =>
      facts.of(companyId).find({ kind, at: { $gte: new Date(fromMs), $lt: new Date(toMs) } }, { at: 1 }),
    ofPeople,
    later: (companyId, people, atMs, withinMs) => later({ companyId, people, atMs, withinMs }),
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
