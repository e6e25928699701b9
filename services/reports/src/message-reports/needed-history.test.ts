import { expect, it } from '@jest/globals';
import { changedTotals } from '../company-totals/changed-totals.ts';
import { countedForm, type Fact, trackChange, type TrackedFact } from '../facts/fact.ts';
import { addTotals, changesSomething, scopeKey, type Total } from '../totals/total.ts';
import { markHistory } from './person-history.ts';
import { changesMarks, neededSince } from './needed-history.ts';

const ZONE = 'Europe/Copenhagen';
/** Around the end of daylight saving. */
const FIRST_MS = Date.parse('2026-10-15T20:00:00Z');
const HOUR_MS = 3_600_000;

function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** A text or a call of one person; hours repeat, so that short histories decide something. */
function randomFact(random: (below: number) => number, n: number): Fact {
  const contact = (['asks', 'responds', undefined] as const)[random(3)];
  const [hour, minute] = [random(24 * 20), random(60)];
  return {
    id: `msg_${n}`,
    companyId: 'com_1',
    kind: 'messages',
    at: new Date(FIRST_MS + (hour - (hour % (random(2) ? 6 : 1))) * HOUR_MS + minute * 60_000),
    sequence: 1,
    readAt: null,
    storedAt: new Date(),
    businessNumberId: `num_${random(2)}`,
    person: 'one',
    ...(contact && { contact }),
    employeeIds: random(2) ? ['emp_1'] : [],
    cell: { counts: random(5) > 0 ? { sent: 1, ...(random(2) && { delivered: 1 }) } : {}, spreads: {} },
  };
}

const counted = (fact: Fact): TrackedFact => ({ ...fact, uncountedSince: null, countedAs: null, countedRun: 1 });

/** Without parts of nothing. */
const plain = (totals: readonly Total[]) =>
  Object.fromEntries(
    totals
      .filter(changesSomething)
      .map((total) => [`${scopeKey(total)}/${total.period}`, addTotals(undefined, total)] as const),
  );

it('changes of totals from the needed part of a history are those from all of it', () => {
  let decided = 0;
  let shortened = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const random = seededRandom(seed);
    const history = Array.from({ length: 60 + random(100) }, (_, n) => counted(randomFact(random, n)));
    const changes = Array.from({ length: 1 + random(3) }, (_, n): TrackedFact => {
      const own = randomFact(random, 1000 + n);
      const before = random(2) ? undefined : counted(randomFact(random, 1000 + n));
      const later = { ...own, at: new Date(own.at.getTime() + random(2) * 20 * 24 * HOUR_MS), sequence: 2 };
      return trackChange(before, later);
    });
    const forms = changes.flatMap((fact) => {
      const before = countedForm(fact);
      if (!changesMarks(before, fact)) return [];
      return before ? [before, fact] : [fact];
    });
    const expected = plain(changedTotals(ZONE, changes, history));
    const since = neededSince(forms, history, ZONE);
    if (since === undefined) continue;
    decided += 1;
    const needed = history.filter(({ at }) => at.getTime() >= since);
    if (needed.length < history.length) shortened += 1;
    expect({ seed, totals: plain(changedTotals(ZONE, changes, needed)) }).toEqual({ seed, totals: expected });
    // What is needed is known to be enough.
    expect(neededSince(forms, needed, ZONE)).toBe(since);
  }
  expect(decided).toBeGreaterThan(100);
  expect(shortened).toBeGreaterThan(50);
});

it('the marks of a history from a time on are those of all of it', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = seededRandom(seed);
    const history = Array.from({ length: 60 }, (_, n) => randomFact(random, n));
    const sinceMs = history[random(60)]!.at.getTime();
    const late = markHistory(history, ZONE).filter(({ fact }) => fact.at.getTime() >= sinceMs);
    expect({ seed, marked: markHistory(history, ZONE, sinceMs) }).toEqual({ seed, marked: late });
  }
});

it('a text in an hour of the day without an earlier text needs more than is known', () => {
  const at = (iso: string, id = iso): TrackedFact => ({
    ...counted(randomFact(seededRandom(1), 0)),
    id,
    at: new Date(iso),
    businessNumberId: 'num_1',
    employeeIds: [],
    contact: 'asks',
    cell: { counts: { received: 1 }, spreads: {} },
  });
  const known = [at('2026-10-01T09:10:00Z'), at('2026-10-07T12:10:00Z'), at('2026-10-07T12:20:00Z')];
  expect(neededSince([at('2026-10-08T09:30:00Z')], known, ZONE)).toBe(known[0]?.at.getTime());
  expect(neededSince([at('2026-10-07T12:30:00Z')], known, ZONE)).toBe(known[2]?.at.getTime());
  expect(neededSince([at('2026-10-08T10:30:00Z')], known, ZONE)).toBeUndefined();
  expect(neededSince([at('2026-10-07T12:15:00Z')], known.slice(2), ZONE)).toBeUndefined();
});
