import { pauseForRequests } from '@parley/queues';
import type { Facts } from '../facts/fact-store.ts';
import { countedForm, type TrackedFact } from '../facts/fact.ts';
import { HISTORY_MS, markHistory } from '../message-reports/person-history.ts';
import { addDays, dayBounds, localTime, monthBounds, monthOf } from '../totals/local-time.ts';
import { type DaySums, daySums, monthTotals, type ZoneTotals } from '../totals/total.ts';
import type { Totals } from '../totals/total-store.ts';

interface ComputeDeps {
  readonly facts: Facts;
  readonly totals: Totals;
}

/** Whose totals, in which run; `renew` keeps the claim, and throws when it was lost. */
interface Computation {
  readonly of: ZoneTotals;
  readonly run: number;
  renew(): Promise<void>;
}

/** People whose facts are read at a time. */
const PEOPLE = 200;
/** Facts of people that are kept in memory; if a time has more, they are read again, some people at a time. */
const KEPT_MAX = 10_000;

/** Makes every total of a time zone, month by month, from facts as the totals of other time zones have them. */
export async function computeZone({ facts, totals }: ComputeDeps, { of, run, renew }: Computation): Promise<void> {
  const { companyId, kind, zone } = of;
  const span = await facts.span(companyId, kind);
  if (!span) return;
  const [first, last] = span.map((at) => localTime(zone, at.getTime()).date) as [string, string];
  for (let month = monthOf(first); month <= monthOf(last); month = monthOf(addDays(monthBounds(month)[1], 1))) {
    const [start, end] = monthBounds(month);
    const sums = daySums(zone);
    const times = [dayBounds(zone, start)[0], dayBounds(zone, end)[1]] as const;
    await addFacts(facts, { of, run, renew }, times, sums);
    const days = sums.days();
    await totals.write(of, [...days, ...monthTotals(days)], run);
    await renew();
  }
  await totals.removeBefore(of, run);
}

/** Adds the facts of a time: those of people with what follows from what else the person did. */
async function addFacts(
  facts: Facts,
  { of: { companyId, kind, zone }, renew }: Computation,
  [startMs, endMs]: readonly [number, number],
  sums: DaySums,
): Promise<void> {
  const byPerson = new Map<string, TrackedFact[]>();
  let kept = 0;
  for await (const stored of facts.between(companyId, kind, startMs, endMs)) {
    await pauseIfDue(renew);
    const fact = countedForm(stored);
    if (!fact) continue;
    if (fact.person === undefined) {
      sums.add(fact);
      continue;
    }
    const own = byPerson.get(fact.person) ?? [];
    byPerson.set(fact.person, own);
    if (kept++ < KEPT_MAX) own.push(fact);
  }
  const isComplete = kept <= KEPT_MAX;
  const people = [...byPerson.keys()];
  for (let first = 0; first < people.length; first += PEOPLE) {
    const some = people.slice(first, first + PEOPLE);
    const untilMs = isComplete ? startMs : endMs;
    const earlier = await Array.fromAsync(facts.ofPeople(companyId, some, startMs - HISTORY_MS, untilMs));
    const counted = earlier.flatMap((fact) => countedForm(fact) ?? []);
    await pauseIfDue(renew);
    const histories = Map.groupBy(counted, ({ person }) => person);
    for (const person of some) {
      const history = [...(histories.get(person) ?? []), ...(isComplete ? byPerson.get(person)! : [])];
      for (const { fact, added } of markHistory(history, zone, startMs)) sums.add(fact, added);
    }
  }
}

/** Undefined when there is nothing to wait for: thousands of facts are added without a turn of the event loop between them. */
function pauseIfDue(renew: () => Promise<void>): Promise<void> | undefined {
  return pauseForRequests()?.then(renew);
}
