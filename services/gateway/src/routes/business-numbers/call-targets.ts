import type { FieldProblems } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { EMPLOYEES_MAX, ID_LENGTH_MAX, MENU_OPTIONS_MAX } from './call-flow-body.ts';

/** An employee or an assistant, and where a flow names it, as a client writes paths. */
interface NamedTarget {
  readonly kind: 'employee' | 'assistant';
  readonly path: string;
  readonly id: string;
}

const TRANSFERS: readonly unknown[] = ['TransferConfig', 'WelcomeTransferConfig'];

/** Collects the call targets of a rejected flow where they can be parsed, so that the same response can report unknown ones. */
export function callTargetsIn(flow: unknown, prefix = ''): readonly NamedTarget[] {
  const { type, menu_options: options } = recordOf(flow);
  if (type !== 'PhoneMenuConfig') return targetsOf(type, flow, prefix);
  if (!Array.isArray(options)) return [];
  return options
    .slice(0, MENU_OPTIONS_MAX)
    .flatMap((option: unknown, index) =>
      targetsOf(recordOf(option)['action_type'], option, `${prefix}menu_options[${index}].`),
    );
}

/** Problems of call targets, by path. An unknown number is refused as not found. */
export async function callTargetProblems(
  { businessNumbers }: Clients,
  numberId: string,
  named: readonly NamedTarget[],
  context: EmployeePrincipal,
): Promise<FieldProblems> {
  const idsOf = (kind: NamedTarget['kind']) => [
    ...new Set(named.flatMap((target) => (target.kind === kind ? target.id : []))),
  ];
  const request = { id: numberId, employeeIds: idsOf('employee'), assistantIds: idsOf('assistant') };
  const answer = await businessNumbers.checkCallTargets(request, { as: context });
  const unknown = { employee: new Set(answer.unknownEmployeeIds), assistant: new Set(answer.unknownAssistantIds) };
  const wrong = named.filter(({ kind, id }) => unknown[kind].has(id));
  return Object.fromEntries(wrong.map(({ kind, path }) => [path, [`is not an ${kind} of the company`]]));
}

/** Targets of a flow or a menu option of the given type. */
function targetsOf(type: unknown, value: unknown, path: string): readonly NamedTarget[] {
  const { employee_ids: employeeIds, assistant_id: assistantId, fallback } = recordOf(value);
  if (TRANSFERS.includes(type)) return employeesIn(employeeIds, `${path}employee_ids`);
  if (type !== 'AssistantConfig') return [];
  const assistants = isPossibleId(assistantId)
    ? [{ kind: 'assistant' as const, path: `${path}assistant_id`, id: assistantId }]
    : [];
  const { type: fallbackType, employee_ids: rung } = recordOf(fallback);
  if (!TRANSFERS.includes(fallbackType)) return assistants;
  return [...assistants, ...employeesIn(rung, `${path}fallback.employee_ids`)];
}

function employeesIn(ids: unknown, path: string): readonly NamedTarget[] {
  if (!Array.isArray(ids) || ids.length > EMPLOYEES_MAX) return [];
  return ids.flatMap((id: unknown, index) =>
    isPossibleId(id) ? [{ kind: 'employee' as const, path: `${path}[${index}]`, id }] : [],
  );
}

function isPossibleId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= ID_LENGTH_MAX && id.isWellFormed();
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
