import { type BusinessHoursChange, changeBusinessHours } from '../business-hours/business-hours-change.ts';
import { type CallFlow, employeesOf, type RoutingSlot } from '../call-flows/call-flow.ts';
import { checkCallFlow } from '../call-flows/call-flow-rules.ts';
import { below, type Problems } from '../call-flows/problems.ts';
import { type BusinessNumber, withFlow } from '../numbers/business-number.ts';
import { readTimezone } from '../numbers/number-fields.ts';

/** A change of routing that is only explained. What is left out is as saved. */
export interface Proposal {
  /** Null clears a slot. */
  readonly flows: ReadonlyMap<RoutingSlot, CallFlow | null>;
  readonly businessHours: readonly BusinessHoursChange[];
  readonly timezone: string | undefined;
  /** Null is off. */
  readonly noAnswerTimeoutSecs: number | null | undefined;
}

/** Everyone a proposal names, each once. */
export function employeesProposed({ flows }: Proposal): readonly string[] {
  return [...new Set([...flows.values()].flatMap(employeesOf))];
}

/** The number as it would be; meaningless once `problems` has grown. */
export function applyProposal(
  current: BusinessNumber,
  proposal: Proposal,
  unknownEmployees: ReadonlySet<string>,
  problems: Problems,
): BusinessNumber {
  let next = current;
  for (const [slot, flow] of proposal.flows) {
    if (flow) checkCallFlow(flow, unknownEmployees, below(problems, slot));
    next = withFlow(next, slot, flow);
  }
  const { timezone, noAnswerTimeoutSecs: timeoutSecs } = proposal;
  return {
    ...next,
    businessHours: changeBusinessHours(current.businessHours, proposal.businessHours, problems),
    timezone: timezone === undefined ? current.timezone : readTimezone(timezone, problems),
    noAnswerTimeoutSecs: timeoutSecs === undefined ? current.noAnswerTimeoutSecs : timeoutSecs,
  };
}
