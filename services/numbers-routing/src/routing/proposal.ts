import { changeBusinessHours } from '../business-hours/business-hours-change.ts';
import { below, isObject, type Problems } from '../call-flows/problems.ts';
import { type BusinessNumber, ROUTING_SLOTS, withFlow } from '../numbers/business-number.ts';
import { readTimezone } from '../numbers/number-fields.ts';
import { employeesNamed, readOwnFlow, readTimeoutSecs, type Written } from '../numbers/routing-change.ts';

/** Whom a proposal names, right or wrong. */
export function employeesProposed(proposal: Written): readonly string[] {
  const named = ROUTING_SLOTS.flatMap((slot) => {
    const written = proposal[slot];
    return isObject(written) ? employeesNamed(written) : [];
  });
  return [...new Set(named)];
}

/** The number as it would be; means nothing when `problems` has grown. What a proposal leaves out is as saved. */
export function proposed(
  current: BusinessNumber,
  proposal: Written,
  strangers: ReadonlySet<string>,
  problems: Problems,
): BusinessNumber {
  let next = current;
  for (const slot of ROUTING_SLOTS) {
    const written = proposal[slot];
    if (written === undefined) continue;
    if (written === null && slot !== 'incoming_call_config') next = withFlow(next, slot, null);
    else if (!isObject(written)) problems.add(slot, 'must be an object');
    else next = withFlow(next, slot, readOwnFlow(written, strangers, below(problems, slot)) ?? null);
  }
  const { business_hours: hours, timezone, no_answer_timeout_secs: timeout } = proposal;
  if (hours !== undefined)
    next = { ...next, businessHours: changeBusinessHours(current.businessHours, hours, problems) };
  if (typeof timezone === 'string') next = { ...next, timezone: readTimezone(timezone, problems) };
  else if (timezone !== undefined) problems.add('timezone', 'must be a string');
  const noAnswerTimeoutSecs = readTimeoutSecs(timeout, current.noAnswerTimeoutSecs, problems, 'no_answer_timeout_secs');
  return { ...next, noAnswerTimeoutSecs };
}
