import type { Clock } from '@parley/clock';
import { type Decision, invalid, notFound, refusal, Refused, refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { ClosureService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { Temporal } from 'temporal-polyfill';
import { type BusinessNumber, type BusinessNumberEvent, changed } from '../numbers/business-number.ts';
import type { BusinessNumbers } from '../numbers/business-number-store.ts';
import type { Closure } from '@parley/opening-hours';
import { collectProblems, type Problems } from '../call-flows/problems.ts';
import { characterCount } from '../numbers/text-length.ts';

interface ClosureDeps {
  readonly numbers: BusinessNumbers;
  readonly clock: Clock;
}

export function addClosureRpcs(server: RpcServer, { numbers, clock }: ClosureDeps): void {
  const [member, admin] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = { listClosures: member, createClosure: admin, updateClosure: admin, deleteClosure: admin };
  server.add(ClosureService, accessRules, {
    async listClosures({ businessNumberId }, { principal }) {
      const number = await numbers.of(principal.companyId).get(businessNumberId);
      if (!number) throw new Refused(notFound);
      return { closures: [...number.closures] };
    },
    async createClosure({ businessNumberId, name, from, to }, { principal }) {
      const closure = { id: newId('clo'), name, from, to };
      await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => addClosure(current, closure, clock.now()));
      return { closure };
    },
    async updateClosure({ businessNumberId, id, name, from, to }, { principal }) {
      const change = {
        ...(name !== undefined && { name }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      };
      const number = await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => changeClosure(current, id, change, clock.now()));
      return { closure: closureOf(number, id) };
    },
    async deleteClosure({ businessNumberId, id }, { principal }) {
      await numbers
        .of(principal.companyId)
        .change(businessNumberId, (current) => removeClosure(current, id, clock.now()));
      return {};
    },
  });
}

function closureOf({ closures }: BusinessNumber, id: string) {
  const closure = closures.find((candidate) => candidate.id === id);
  if (!closure) throw new Refused(notFound);
  return closure;
}

/** A number has its closures in its document, which every call reads. */
export const CLOSURES_MAX = 200;
const NAME_LENGTH_MAX = 128;

type NumberDecision = Decision<BusinessNumber, BusinessNumberEvent>;

export function addClosure(current: BusinessNumber, closure: Closure, now: Date): NumberDecision {
  const { closures } = current;
  const problems = collectProblems();
  check(closure, problems);
  if (problems.count() > 0) return refused(invalid(problems.fields()));
  if (closures.length >= CLOSURES_MAX)
    return refused(refusal('limit_reached', `a business number has at most ${CLOSURES_MAX} closures`));
  return changed(current, { ...current, closures: inOrder([...closures, closure]) }, now);
}

/** Absent fields stay as they are. */
export function changeClosure(
  current: BusinessNumber,
  id: string,
  change: Partial<Omit<Closure, 'id'>>,
  now: Date,
): NumberDecision {
  const { closures } = current;
  const known = closures.find((closure) => closure.id === id);
  if (!known) return refused(notFound);
  const next = { ...known, ...change };
  const problems = collectProblems();
  check(next, problems);
  if (problems.count() > 0) return refused(invalid(problems.fields()));
  const others = closures.filter((closure) => closure.id !== id);
  return changed(current, { ...current, closures: inOrder([...others, next]) }, now);
}

export function removeClosure(current: BusinessNumber, id: string, now: Date): NumberDecision {
  const { closures } = current;
  const others = closures.filter((closure) => closure.id !== id);
  return others.length === closures.length
    ? refused(notFound)
    : changed(current, { ...current, closures: others }, now);
}

/** Ordered by their first day; ISO dates order like text. */
function inOrder(closures: readonly Closure[]): readonly Closure[] {
  const key = ({ from, to, id }: Closure) => `${from} ${to} ${id}`;
  return closures.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function check({ name, from, to }: Closure, problems: Problems): void {
  if (name.trim() === '') problems.add('name', 'must not be blank');
  else if (characterCount(name) > NAME_LENGTH_MAX)
    problems.add('name', `is too long (maximum is ${NAME_LENGTH_MAX} characters)`);
  for (const [field, date] of Object.entries({ from, to }))
    if (!isCalendarDate(date)) problems.add(field, `must be a date (YYYY-MM-DD) from ${YEAR_MIN} to ${YEAR_MAX}`);
  if (problems.count() === 0 && to < from) problems.add('to', 'must not be before from');
}

export const YEAR_MIN = 2000;
export const YEAR_MAX = 2100;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Accepts YYYY-MM-DD where the day exists. */
function isCalendarDate(text: string): boolean {
  if (!ISO_DATE.test(text)) return false;
  try {
    const { year } = Temporal.PlainDate.from(text);
    return year >= YEAR_MIN && year <= YEAR_MAX;
  } catch {
    return false;
  }
}
