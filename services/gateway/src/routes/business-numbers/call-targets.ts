import type { FieldProblems } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { EMPLOYEES_MAX, ID_LENGTH_MAX, MENU_OPTIONS_MAX } from './call-flow-body.ts';

interface NamedEmployee {
  readonly path: string;
  readonly id: string;
}

const TRANSFERS: readonly unknown[] = ['TransferConfig', 'WelcomeTransferConfig'];

/** Collects the call targets of a rejected flow where they can be parsed, so that the same response can report unknown ones. */
export function callTargetsIn(flow: unknown, prefix = ''): readonly NamedEmployee[] {
  const { type, employee_ids: employeeIds, menu_options: options } = recordOf(flow);
  if (TRANSFERS.includes(type)) return idsIn(employeeIds, `${prefix}employee_ids`);
  if (type !== 'PhoneMenuConfig' || !Array.isArray(options)) return [];
  return options.slice(0, MENU_OPTIONS_MAX).flatMap((option: unknown, index) => {
    const { action_type: action, employee_ids: ids } = recordOf(option);
    return TRANSFERS.includes(action) ? idsIn(ids, `${prefix}menu_options[${index}].employee_ids`) : [];
  });
}

/** Problems of call targets, by path. An unknown number is refused as not found. */
export async function callTargetProblems(
  { businessNumbers }: Clients,
  numberId: string,
  named: readonly NamedEmployee[],
  context: EmployeePrincipal,
): Promise<FieldProblems> {
  const request = { id: numberId, employeeIds: [...new Set(named.map(({ id }) => id))] };
  const { unknownEmployeeIds } = await businessNumbers.checkCallTargets(request, { as: context });
  const unknown = new Set(unknownEmployeeIds);
  const wrong = named.filter(({ id }) => unknown.has(id));
  return Object.fromEntries(wrong.map(({ path }) => [path, ['is not an employee of the company']]));
}

function idsIn(ids: unknown, path: string): readonly NamedEmployee[] {
  if (!Array.isArray(ids) || ids.length > EMPLOYEES_MAX) return [];
  return ids.flatMap((id: unknown, index) =>
    typeof id === 'string' && id.length <= ID_LENGTH_MAX && id.isWellFormed()
      ? [{ path: `${path}[${index}]`, id }]
      : [],
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
