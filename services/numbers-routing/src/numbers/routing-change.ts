import { type Decision, invalid, refused } from '@parley/errors';
import { changeBusinessHours } from '../business-hours/business-hours-change.ts';
import type { CallFlow, RoutingSlot } from '../call-flows/call-flow.ts';
import { withMenuOptionIds } from '../call-flows/menu-option-ids.ts';
import { collectProblems, type Problems } from '../call-flows/problems.ts';
import { readCallFlow } from '../call-flows/read-call-flow.ts';
import { type BusinessNumber, type BusinessNumberEvent, changed, flowIn, withFlow } from './business-number.ts';

/** A request's body as the client wrote it. */
export type Written = Readonly<Record<string, unknown>>;

const TIMEOUTS_SECS: readonly unknown[] = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600];

/** Whom a config names, right or wrong: the caller finds out which of them may not be rung. */
export function employeesNamed(written: Written): readonly string[] {
  return [...new Set(readCallFlow(written, collectProblems()).employees.map(({ id }) => id))];
}

/**
 * Puts a config into a slot, whole or not at all; every wrong field is named. `strangers` are the employees named in it
 * who are not the company's, or are just leaving it.
 */
export function changeRouting(
  current: BusinessNumber,
  slot: RoutingSlot,
  written: Written,
  strangers: ReadonlySet<string>,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const problems = collectProblems();
  const next = routed(current, slot, written, strangers, problems);
  return problems.count() > 0 ? refused(invalid(problems.fields())) : changed(current, next, now);
}

/** The number with the config in its slot; means nothing when `problems` has grown. */
function routed(
  current: BusinessNumber,
  slot: RoutingSlot,
  written: Written,
  strangers: ReadonlySet<string>,
  problems: Problems,
): BusinessNumber {
  let next = current;
  if (written['type'] === null) {
    if (slot === 'incoming_call_config') problems.add('type', 'cannot be cleared');
    else next = withFlow(current, slot, null);
  } else {
    const flow = readOwnFlow(written, strangers, problems);
    if (flow) {
      const numbered = withMenuOptionIds(flow, flowIn(current, slot), current.nextMenuOptionId);
      next = { ...withFlow(current, slot, numbered.flow), nextMenuOptionId: numbered.nextId };
    }
  }
  if (slot === 'outside_business_hours_config' && written['business_hours'] !== undefined)
    next = { ...next, businessHours: changeBusinessHours(current.businessHours, written['business_hours'], problems) };
  if (slot === 'no_answer_config') {
    const timeoutSecs = readTimeoutSecs(written['timeout_secs'], current.noAnswerTimeoutSecs, problems);
    // Without a flow there is nothing to time.
    next = { ...next, noAnswerTimeoutSecs: next.noAnswerConfig === null ? null : timeoutSecs };
  }
  return next;
}

/** A flow whose employees are all the company's own. */
export function readOwnFlow(
  written: Written,
  strangers: ReadonlySet<string>,
  problems: Problems,
): CallFlow | undefined {
  const { flow, employees } = readCallFlow(written, problems);
  for (const { path, id } of employees) if (strangers.has(id)) problems.add(path, 'is not an employee of the company');
  return flow;
}

/** Nothing sent leaves the timer as it is; blank, 0 and null turn it off. */
export function readTimeoutSecs(
  written: unknown,
  current: number | null,
  problems: Problems,
  path = 'timeout_secs',
): number | null {
  if (written === undefined) return current;
  if (written === null || written === 0 || (typeof written === 'string' && written.trim() === '')) return null;
  if (!TIMEOUTS_SECS.includes(written)) problems.add(path, `must be one of ${TIMEOUTS_SECS.join(', ')}, or 0 for off`);
  return written as number;
}
