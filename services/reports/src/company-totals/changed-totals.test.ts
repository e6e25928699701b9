import { expect, it } from '@jest/globals';
import { countable, type Fact, setCounted, trackChange, type TrackedFact } from '../facts/fact.ts';
import { markHistory } from '../message-reports/person-history.ts';
import { addTotals, changesSomething, daySums, monthTotals, scopeKey, type Total } from '../totals/total.ts';
import { changedTotals } from './changed-totals.ts';

const ZONE = 'Europe/Copenhagen';
/** Around the end of daylight saving, and of a month. */
const FIRST_MS = Date.parse('2026-10-23T20:00:00Z');
const HOUR_MS = 3_600_000;

function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function randomFact(random: (below: number) => number, n: number): Fact {
  const person = random(5) === 0 ? undefined : `person_${random(4)}`;
  const contact = (['asks', 'responds', undefined] as const)[random(3)];
  const isText = random(4) > 0;
  return {
    id: `msg_${n}`,
    companyId: 'com_1',
    kind: 'messages',
    at: new Date(FIRST_MS + random(24 * 12) * HOUR_MS + random(HOUR_MS)),
    sequence: 1,
    readAt: null,
    storedAt: new Date(),
    businessNumberId: `num_${random(2)}`,
    ...(person !== undefined && { person }),
    ...(contact && { contact }),
    employeeIds: random(2) ? [`emp_${random(2)}`] : [],
    cell: { counts: isText ? { sent: 1, ...(random(2) && { delivered: 1 }) } : {}, spreads: {} },
  };
}

/** Totals made from all facts at once. */
function recomputed(facts: readonly Fact[]): Total[] {
  const sums = daySums(ZONE);
  for (const [person, own] of Map.groupBy(facts, (fact) => fact.person))
    if (person === undefined) own.forEach((fact) => sums.add(fact));
    else for (const { fact, added } of markHistory(own, ZONE)) sums.add(fact, added);
  const days = sums.days();
  return [...days, ...monthTotals(days)];
}

const keyOf = (total: Total) => `${scopeKey(total)}/${total.period}`;
/** Without totals and parts of nothing. */
const plain = (totals: Iterable<Total>) =>
  Object.fromEntries(
    [...totals].filter(changesSomething).map((total) => [keyOf(total), addTotals(undefined, total)] as const),
  );

it.each([1, 2, 3, 4, 5])('changes of facts in any order add up to a recomputation (%d)', (seed) => {
  const random = seededRandom(seed);
  const facts = new Map<string, TrackedFact>();
  const totals = new Map<string, Total>();
  let run = 0;
  const countSome = (share: number) => {
    run += 1;
    const all = [...facts.values()];
    const counted = all.filter(({ uncountedSince }) => uncountedSince !== null && random(100) < share);
    const changes = changedTotals(ZONE, counted, all);
    for (const change of changes) totals.set(keyOf(change), addTotals(totals.get(keyOf(change)), change));
    for (const fact of counted) facts.set(fact.id, setCounted(fact, countable(fact), run));
  };
  for (let n = 0; n < 120; n++) {
    const isChange = facts.size > 0 && random(3) === 0;
    const id = isChange ? random(facts.size) : facts.size;
    const current = facts.get(`msg_${id}`);
    facts.set(`msg_${id}`, trackChange(current, { ...randomFact(random, id), sequence: n }));
    if (random(6) === 0) countSome(70);
  }
  countSome(100);
  expect([...facts.values()].filter(({ uncountedSince }) => uncountedSince !== null)).toEqual([]);
  expect(plain(totals.values())).toEqual(plain(recomputed([...facts.values()])));
  // What is counted already changes nothing.
  expect(changedTotals(ZONE, [...facts.values()], [...facts.values()])).toEqual([]);
});
