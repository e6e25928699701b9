import { type Decision, invalid, refused } from '@parley/errors';
import { type BusinessHoursChange, changeBusinessHours } from '../business-hours/business-hours-change.ts';
import {
  type CallFlow,
  checkCallFlow,
  type UnknownReferences,
  withMenuOptionIds,
  withoutRepeatedEmployees,
} from '../call-flows/call-flow.ts';
import { collectProblems } from '../call-flows/problems.ts';
import { type BusinessNumber, type BusinessNumberEvent, changed, flowIn, withFlow } from './business-number.ts';

/** A new flow for one slot, null to clear it, and what may be changed with it. */
export type RoutingChange =
  | { readonly slot: 'incoming_call_config'; readonly flow: CallFlow }
  | {
      readonly slot: 'outside_business_hours_config';
      readonly flow: CallFlow | null;
      readonly businessHours: readonly BusinessHoursChange[];
    }
  | {
      readonly slot: 'no_answer_config';
      readonly flow: CallFlow | null;
      /** Null turns the timer off, undefined leaves it as it is. */
      readonly timeoutSecs: number | null | undefined;
    };

/** Applies the change whole or not at all; every wrong field is named. */
export function changeRouting(
  current: BusinessNumber,
  change: RoutingChange,
  unknown: UnknownReferences,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const problems = collectProblems();
  let next = withNewFlow(current, change);
  if (change.flow) checkCallFlow(change.flow, unknown, problems);
  if (change.slot === 'outside_business_hours_config')
    next = { ...next, businessHours: changeBusinessHours(current.businessHours, change.businessHours, problems) };
  if (change.slot === 'no_answer_config') {
    const timeoutSecs = change.timeoutSecs === undefined ? current.noAnswerTimeoutSecs : change.timeoutSecs;
    // A slot without a flow has no timeout.
    next = { ...next, noAnswerTimeoutSecs: change.flow === null ? null : timeoutSecs };
  }
  return problems.count() > 0 ? refused(invalid(problems.fields())) : changed(current, next, now);
}

function withNewFlow(current: BusinessNumber, { slot, flow }: RoutingChange): BusinessNumber {
  if (flow === null) return withFlow(current, slot, null);
  const once = withoutRepeatedEmployees(flow);
  const numbered = withMenuOptionIds(once, flowIn(current, slot), current.nextMenuOptionId);
  return { ...withFlow(current, slot, numbered.flow), nextMenuOptionId: numbered.nextId };
}
