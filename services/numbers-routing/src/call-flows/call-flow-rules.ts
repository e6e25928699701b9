import { type CallFlow, namedEmployees } from './call-flow.ts';
import type { Problems } from './problems.ts';

/**
 * Rules of a flow besides its shape, which the gateway has checked: at least one employee to ring, distinct keys, and
 * employees of the company. `unknownEmployees` are those named in it who are none, or are just being deleted.
 */
export function checkCallFlow(flow: CallFlow, unknownEmployees: ReadonlySet<string>, problems: Problems): void {
  if ('employeeIds' in flow && flow.employeeIds.length === 0) problems.add('employee_ids', 'must have at least 1 item');
  if (flow.type === 'PhoneMenuConfig') {
    const digits = flow.menuOptions.map(({ digit }) => digit);
    digits.forEach((digit, index) => {
      if (digits.indexOf(digit) < index) problems.add(`menu_options[${index}].digit`, 'has already been taken');
    });
  }
  for (const { path, id } of namedEmployees(flow))
    if (unknownEmployees.has(id)) problems.add(path, 'is not an employee of the company');
}
