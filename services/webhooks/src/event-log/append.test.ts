import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appending, type AppendSteps, type KnownSegments, type Stored } from './append.ts';
import { type PageStore, readPage } from './read-page.ts';
import type { Entry, LogKey, Position, Segment } from './segment.ts';

const log: LogKey = { companyId: 'com_1', epoch: 1 };
const SEGMENT_MAX = 3;
const TYPES = ['contact.created', 'contact.updated', 'call.ended'] as const;

/** A database in memory, each of whose operations happens at once. */
function memory() {
  const contents = new Map<string, { id: string; segment: number | null }>();
  const segments: { number: number; firstAt: Date; lastAt: Date; count: number; entries: Entry[] }[] = [];
  const ofSegment = (number: number) => segments.find((segment) => segment.number === number);
  const shown = ({ number, firstAt, lastAt, count }: Segment) => ({ number, firstAt, lastAt, count });
  return {
    all: () => segments.flatMap(({ entries }) => entries),
    /** True when it was not there. */
    store(id: string): boolean {
      if (contents.has(id)) return false;
      contents.set(id, { id, segment: null });
      return true;
    },
    steps: {
      newest() {
        const newest = segments.at(-1);
        return newest && { ...shown(newest), ids: new Set(newest.entries.map(({ id }) => id)) };
      },
      marked: (ids: readonly string[]) => new Set(ids.filter((id) => contents.get(id)?.segment !== null)),
      push(segment: Segment, entries: readonly Entry[]) {
        const stored = ofSegment(segment.number);
        if (stored?.count !== segment.count) return false;
        stored.entries.push(...entries);
        stored.count = stored.entries.length;
        stored.lastAt = entries.at(-1)!.at;
        return true;
      },
      mark(number: number) {
        for (const { id } of ofSegment(number)?.entries ?? []) contents.get(id)!.segment = number;
      },
      create(segment: Segment) {
        if (!ofSegment(segment.number)) segments.push({ ...segment, entries: [] });
      },
    },
    reads: {
      part(number: number, index: number, limit: number) {
        const stored = ofSegment(number);
        return stored && { ...shown(stored), entries: stored.entries.slice(index, index + limit) };
      },
      end() {
        const newest = segments.at(-1);
        return newest && { ...shown(newest), entries: newest.entries.slice(-1) };
      },
      nextWith: (from: number, types: readonly string[]) =>
        segments.find(({ number, entries }) => number >= from && entries.some(({ event }) => types.includes(event)))
          ?.number,
      aroundTime: () => segments[0],
    },
  };
}

type Memory = ReturnType<typeof memory>;
type Gate = () => Promise<void>;

/** Each operation waits for its turn before and after it: there it may stand still or end. */
async function operate<Result>(gate: Gate, work: () => Result): Promise<Result> {
  await gate();
  const result = work();
  await gate();
  return result;
}

/** A process that records events; it ends with the gate that throws. */
function writer(db: Memory, known: KnownSegments, tick: () => number, gate: Gate) {
  const { steps } = db;
  const throughGate: AppendSteps = {
    segmentMax: SEGMENT_MAX,
    newest: () => operate(gate, steps.newest),
    marked: (ids) => operate(gate, () => steps.marked(ids)),
    push: (_log, segment, entries) => operate(gate, () => steps.push(segment, entries)),
    mark: (_log, number) => operate(gate, () => steps.mark(number)),
    create: (_log, segment) => operate(gate, () => steps.create(segment)),
    removeOldest: async () => {},
  };
  const append = appending(throughGate, known, () => new Date(1000 - (tick() % 7)), tick);
  return async (events: readonly { id: string; event: string }[]): Promise<void> => {
    const stored = await Promise.all(
      events.map(async ({ id, event }): Promise<Stored> => {
        const since = tick();
        return { id, event, newSince: (await operate(gate, () => db.store(id))) ? since : null };
      }),
    );
    await append(log, stored);
  };
}

function reader(db: Memory, gate: Gate, types: ReadonlySet<string> | undefined, limit: number) {
  const { reads } = db;
  const store: PageStore = {
    segmentMax: SEGMENT_MAX,
    part: (_log, number, index, max) => operate(gate, () => reads.part(number, index, max)),
    end: () => operate(gate, reads.end),
    nextWith: (_log, from, wanted) => operate(gate, () => reads.nextWith(from, wanted)),
    aroundTime: () => operate(gate, reads.aroundTime),
    bodiesOf: (ids) => operate(gate, () => new Map(ids.map((id) => [id, id]))),
  };
  const read: string[] = [];
  let at: Position | { from: Date } = { from: new Date(0) };
  return {
    read,
    /** True when there was more to read. */
    async readPage(): Promise<boolean> {
      const page = await readPage(store, log, { at, types, limit, keptFrom: new Date(0) });
      if ('oldest' in page) throw new Error('nothing expires here');
      read.push(...page.events.map(({ id }) => id));
      at = page.next;
      return page.hasMore;
    },
  };
}

class Crash extends Error {}

/** Who handles some events of a subject, in turn: the last one succeeds; those before it end after some steps, or stand still for a while and go on. */
const batchPlan = fc.record({
  size: fc.integer({ min: 1, max: 5 }),
  process: fc.nat(2),
  before: fc.array(
    fc.record({ process: fc.nat(2), steps: fc.nat(14), standsForSteps: fc.option(fc.nat(80), { nil: undefined }) }),
    { maxLength: 2 },
  ),
});
const subjectPlan = fc.array(batchPlan, { minLength: 1, maxLength: 4 });
const plan = fc.record({
  subjects: fc.array(subjectPlan, { minLength: 1, maxLength: 3 }),
  readers: fc.array(
    fc.record({
      types: fc.option(fc.subarray([...TYPES], { minLength: 1 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 5 }),
      pages: fc.integer({ min: 1, max: 12 }),
    }),
    { maxLength: 2 },
  ),
});

describe('appending to a log', () => {
  it('appending to a log gives each event one place, in the order of its subject, and shows readers each once, whichever process ends or stands still', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plan, async (scheduler, { subjects, readers }) => {
        const db = memory();
        let ticks = 0;
        const tick = () => (ticks += 1);
        const gate: Gate = () => scheduler.schedule(Promise.resolve());
        const processes = Array.from({ length: 3 }, () => new Map());
        const running: Promise<unknown>[] = [];

        /** Processes share what they know among their own work, and forget it when they end. */
        const handle = (process: number, events: readonly { id: string; event: string }[], atGate: Gate) =>
          writer(db, processes[process]!, tick, async () => {
            await gate();
            await atGate();
          })(events);

        async function end(process: number, events: readonly { id: string; event: string }[], steps: number) {
          let left = steps;
          const atGate: Gate = async () => {
            left -= 1;
            if (left >= 0) return;
            processes[process] = new Map();
            throw new Crash();
          };
          await handle(process, events, atGate).catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error;
          });
        }

        async function standStill(
          process: number,
          events: readonly { id: string; event: string }[],
          steps: number,
          forSteps: number,
        ) {
          let left = steps;
          await handle(process, events, async () => {
            left -= 1;
            if (left === 0) for (let step = 0; step < forSteps; step += 1) await gate();
          });
        }

        const ofSubject = subjects.map((batches, subject) => {
          const sizes = batches.map(({ size }) => size);
          return Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, n) => ({
            id: `${subject}-${n}`,
            event: TYPES[(subject + n) % TYPES.length]!,
          }));
        });

        async function follow(subject: number): Promise<void> {
          let position = 0;
          for (const { size, process, before } of subjects[subject]!) {
            const events = ofSubject[subject]!.slice(position, position + size);
            for (const { process: other, steps, standsForSteps } of before) {
              if (standsForSteps === undefined) await end(other, events, steps);
              else running.push(standStill(other, events, steps, standsForSteps));
            }
            await handle(process, events, async () => {});
            position += size;
          }
        }

        const reading = readers.map(({ types, limit, pages }) => ({
          types: types && new Set<string>(types),
          pages,
          ...reader(db, gate, types && new Set<string>(types), limit),
        }));
        const all = Promise.all([
          ...subjects.map((_, subject) => follow(subject)),
          ...reading.map(async ({ readPage: next, pages }) => {
            for (let page = 0; page < pages; page += 1) await next();
          }),
        ]).then(() => Promise.all(running));
        await scheduler.waitFor(all);
        const rest = reading.map(async ({ readPage: next }) => {
          while (await next());
        });
        await scheduler.waitFor(Promise.all(rest));

        const entries = db.all();
        for (const [subject, events] of ofSubject.entries()) {
          const places = entries.map(({ id }) => id).filter((id) => id.startsWith(`${subject}-`));
          expect(places).toEqual(events.map(({ id }) => id));
        }
        expect(entries.map(({ at }) => at.getTime())).toEqual(
          entries.map(({ at }) => at.getTime()).toSorted((one, other) => one - other),
        );
        for (const { read, types } of reading)
          expect(read).toEqual(entries.filter(({ event }) => !types || types.has(event)).map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });
});
