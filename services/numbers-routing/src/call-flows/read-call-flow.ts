import type { CallFlow, CallFlowType, MenuActionType, MenuOption } from './call-flow.ts';
import { isObject, type Problems } from './problems.ts';

/** A flow as a client wrote it, checked; menu options have no ids yet. */
export interface ReadCallFlow {
  /** Undefined when something is wrong. */
  readonly flow: CallFlow | undefined;
  /** Field path to the employee named there. */
  readonly employees: readonly { readonly path: string; readonly id: string }[];
}

type Written = Readonly<Record<string, unknown>>;

export const TEXT_LENGTH_MAX = 10_000;
/** As many as a company may have employees. */
const EMPLOYEES_MAX = 1000;
const OPTIONS_MAX = 9;
const NEW_OPTION = 0;

const TYPES = ['WelcomeTransferConfig', 'TransferConfig', 'RejectConfig', 'VoicemailConfig', 'PhoneMenuConfig'];
const ACTION_TYPES = ['TransferConfig', 'WelcomeTransferConfig', 'VoicemailConfig', 'PlayMessageConfig'];

/** Reads the fields of the type that was written and no others; `problems` says what is wrong with them. */
export function readCallFlow(written: Written, problems: Problems): ReadCallFlow {
  const before = problems.count();
  const employees: { path: string; id: string }[] = [];
  const { type } = written;
  if (typeof type !== 'string' || !TYPES.includes(type)) {
    problems.add('type', type === undefined ? 'is required' : `must be one of ${TYPES.join(', ')}`);
    return { flow: undefined, employees };
  }
  const text = (field: string) => readText(written[field], field, problems);
  const targets = () => readEmployeeIds(written['employee_ids'], 'employee_ids', employees, problems);
  const readers: Record<CallFlowType, () => CallFlow> = {
    WelcomeTransferConfig: () => ({
      type: 'WelcomeTransferConfig',
      welcome: text('welcome'),
      employeeIds: targets(),
    }),
    TransferConfig: () => ({ type: 'TransferConfig', employeeIds: targets() }),
    RejectConfig: () => ({ type: 'RejectConfig', message: text('message') }),
    VoicemailConfig: () => ({ type: 'VoicemailConfig', greeting: text('greeting') }),
    PhoneMenuConfig: () => ({
      type: 'PhoneMenuConfig',
      welcome: text('welcome'),
      menuOptions: readMenuOptions(written['menu_options'], employees, problems),
    }),
  };
  const flow = readers[type as CallFlowType]();
  return { flow: problems.count() === before ? flow : undefined, employees };
}

function readText(value: unknown, path: string, problems: Problems): string {
  if (value === undefined || value === null) problems.add(path, 'is required');
  else if (typeof value !== 'string') problems.add(path, 'must be a string');
  else if (value.trim() === '') problems.add(path, 'must not be blank');
  else if (lengthOf(value) > TEXT_LENGTH_MAX)
    problems.add(path, `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`);
  return typeof value === 'string' ? value : '';
}

/** Somebody named twice is rung once. */
function readEmployeeIds(
  value: unknown,
  path: string,
  employees: { path: string; id: string }[],
  problems: Problems,
): readonly string[] {
  if (value === undefined || value === null) problems.add(path, 'is required');
  else if (!Array.isArray(value)) problems.add(path, 'must be an array');
  else if (value.length === 0) problems.add(path, 'must have at least 1 item');
  else if (value.length > EMPLOYEES_MAX) problems.add(path, `must have at most ${EMPLOYEES_MAX} items`);
  else {
    value.forEach((id: unknown, index) => {
      if (typeof id === 'string') employees.push({ path: `${path}[${index}]`, id });
      else problems.add(`${path}[${index}]`, 'must be a string');
    });
    return [...new Set(value as string[])];
  }
  return [];
}

function readMenuOptions(
  value: unknown,
  employees: { path: string; id: string }[],
  problems: Problems,
): readonly MenuOption[] {
  const path = 'menu_options';
  if (value === undefined || value === null) problems.add(path, 'is required');
  else if (!Array.isArray(value)) problems.add(path, 'must be an array');
  else if (value.length === 0) problems.add(path, 'must have at least 1 item');
  else {
    if (value.length > OPTIONS_MAX) problems.add(path, `must have at most ${OPTIONS_MAX} items`);
    const taken = new Set<string>();
    return value
      .slice(0, OPTIONS_MAX + 1)
      .map((item: unknown, index) => readMenuOption(item, `${path}[${index}]`, taken, employees, problems));
  }
  return [];
}

function readMenuOption(
  item: unknown,
  path: string,
  taken: Set<string>,
  employees: { path: string; id: string }[],
  problems: Problems,
): MenuOption {
  const written = isObject(item) ? item : {};
  if (!isObject(item)) problems.add(path, 'must be an object');
  else readDigit(item['digit'], `${path}.digit`, taken, problems);
  const action = written['action_type'];
  const actionType = (ACTION_TYPES.includes(action as string) ? action : undefined) as MenuActionType | undefined;
  if (isObject(item) && !actionType)
    problems.add(
      `${path}.action_type`,
      action === undefined || action === null ? 'is required' : `must be one of ${ACTION_TYPES.join(', ')}`,
    );
  const speaks = actionType !== undefined && actionType !== 'TransferConfig';
  const transfers = actionType === 'TransferConfig' || actionType === 'WelcomeTransferConfig';
  return {
    id: NEW_OPTION,
    digit: String(written['digit']),
    actionType: actionType ?? 'TransferConfig',
    prompt: speaks ? readText(written['prompt'], `${path}.prompt`, problems) : null,
    employeeIds: transfers ? readEmployeeIds(written['employee_ids'], `${path}.employee_ids`, employees, problems) : [],
  };
}

function readDigit(digit: unknown, path: string, taken: Set<string>, problems: Problems): void {
  if (digit === undefined || digit === null) return problems.add(path, 'is required');
  if (typeof digit !== 'string') return problems.add(path, 'must be a string');
  if (!/^[1-9]$/.test(digit)) return problems.add(path, 'must be a single key, 1 to 9');
  if (taken.has(digit)) return problems.add(path, 'has already been taken');
  taken.add(digit);
}

/** Characters as people count them, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
