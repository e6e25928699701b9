import type { Problems } from './problems.ts';

/** The treatment of a call, by `type`. */
export type CallFlow =
  | { readonly type: 'WelcomeTransferConfig'; readonly welcome: string; readonly employeeIds: readonly string[] }
  | { readonly type: 'TransferConfig'; readonly employeeIds: readonly string[] }
  | { readonly type: 'RejectConfig'; readonly message: string }
  | { readonly type: 'VoicemailConfig'; readonly greeting: string }
  | { readonly type: 'PhoneMenuConfig'; readonly welcome: string; readonly menuOptions: readonly MenuOption[] }
  | ({ readonly type: 'ForwardConfig' } & Forward);

/** Calls a phone outside the company. */
export interface Forward {
  /** E.164; as it was written in a request. */
  readonly phoneNumber: string;
  readonly timeoutSecs: number;
  /** The person who answers must press a key to accept the call. */
  readonly confirm: boolean;
}

export type CallFlowType = CallFlow['type'];

export type MenuActionType =
  | 'TransferConfig'
  | 'WelcomeTransferConfig'
  | 'VoicemailConfig'
  | 'PlayMessageConfig'
  | 'ForwardConfig';

export interface MenuOption {
  /** Identifies the option within its number. */
  readonly id: number;
  /** 1 to 9. */
  readonly digit: string;
  readonly actionType: MenuActionType;
  /** Null for a plain transfer and a forward. */
  readonly prompt: string | null;
  /** Empty unless the action transfers. */
  readonly employeeIds: readonly string[];
  /** Absent unless the action forwards. */
  readonly forward?: Forward;
}

/** The three slots of a number. */
export type RoutingSlot = 'incoming_call_config' | 'outside_business_hours_config' | 'no_answer_config';

/** A flow's targets, and the menu key that leads to each group; null outside a menu. */
interface TransferTargets {
  readonly digit: string | null;
  readonly employeeIds: readonly string[];
}

/** Everyone a flow may ring, group by group. */
export function transferTargets(flow: CallFlow): readonly TransferTargets[] {
  if ('employeeIds' in flow) return [{ digit: null, employeeIds: flow.employeeIds }];
  if (flow.type !== 'PhoneMenuConfig') return [];
  return flow.menuOptions
    .filter(({ employeeIds }) => employeeIds.length > 0)
    .map(({ digit, employeeIds }) => ({ digit, employeeIds }));
}

/** Everyone a flow may ring, each once. */
export function employeesOf(flow: CallFlow | null): readonly string[] {
  return flow ? [...new Set(transferTargets(flow).flatMap(({ employeeIds }) => employeeIds))] : [];
}

/** All texts of a flow, each once. */
export function textsOf(flow: CallFlow | null): readonly string[] {
  switch (flow?.type) {
    case 'WelcomeTransferConfig':
      return [flow.welcome];
    case 'RejectConfig':
      return [flow.message];
    case 'VoicemailConfig':
      return [flow.greeting];
    case 'PhoneMenuConfig':
      return [
        ...new Set([flow.welcome, ...flow.menuOptions.flatMap(({ prompt }) => (prompt === null ? [] : [prompt]))]),
      ];
    default:
      return [];
  }
}

/** The forwards of a flow, and where each is, as a client writes paths: `menu_options[1].phone_number`. */
export function forwardsOf(flow: CallFlow | null): readonly { readonly path: string; readonly forward: Forward }[] {
  if (flow?.type === 'ForwardConfig') return [{ path: 'phone_number', forward: flow }];
  if (flow?.type !== 'PhoneMenuConfig') return [];
  return flow.menuOptions.flatMap(({ forward }, index) =>
    forward ? [{ path: `menu_options[${index}].phone_number`, forward }] : [],
  );
}

/** The same flow with other phone numbers in its forwards. */
export function withForwardNumbers(flow: CallFlow, numberOf: (written: string) => string): CallFlow {
  const changed = <Kind extends Forward>(forward: Kind) => ({ ...forward, phoneNumber: numberOf(forward.phoneNumber) });
  if (flow.type === 'ForwardConfig') return changed(flow);
  if (flow.type !== 'PhoneMenuConfig') return flow;
  const menuOptions = flow.menuOptions.map((option) =>
    option.forward ? { ...option, forward: changed(option.forward) } : option,
  );
  return { ...flow, menuOptions };
}

/** An employee and where a flow names them, as a client writes paths: `menu_options[1].employee_ids[0]`. */
interface NamedEmployee {
  readonly path: string;
  readonly id: string;
}

/** All employees of a flow, with repetitions. */
function namedEmployees(flow: CallFlow | null): readonly NamedEmployee[] {
  const at = (path: string, ids: readonly string[]) => ids.map((id, index) => ({ path: `${path}[${index}]`, id }));
  if (flow === null) return [];
  if ('employeeIds' in flow) return at('employee_ids', flow.employeeIds);
  if (flow.type !== 'PhoneMenuConfig') return [];
  return flow.menuOptions.flatMap(({ employeeIds }, index) => at(`menu_options[${index}].employee_ids`, employeeIds));
}

/** The same flow without repeated employees in a list: an employee who is listed twice rings once. */
export function withoutRepeatedEmployees(flow: CallFlow): CallFlow {
  const once = (ids: readonly string[]) => [...new Set(ids)];
  if ('employeeIds' in flow) return { ...flow, employeeIds: once(flow.employeeIds) };
  if (flow.type !== 'PhoneMenuConfig') return flow;
  return {
    ...flow,
    menuOptions: flow.menuOptions.map((option) => ({ ...option, employeeIds: once(option.employeeIds) })),
  };
}

/** Gives new menu options the next ids; an option whose key was in the slot's menu before keeps its id. */
export function withMenuOptionIds(
  flow: CallFlow,
  previous: CallFlow | null,
  nextId: number,
): { flow: CallFlow; nextId: number } {
  if (flow.type !== 'PhoneMenuConfig') return { flow, nextId };
  const known = new Map(
    previous?.type === 'PhoneMenuConfig' ? previous.menuOptions.map(({ digit, id }) => [digit, id]) : [],
  );
  let next = nextId;
  const menuOptions = flow.menuOptions.map((option) => ({ ...option, id: known.get(option.digit) ?? next++ }));
  return { flow: { ...flow, menuOptions }, nextId: next };
}

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
