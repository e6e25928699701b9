import type { Problems } from './problems.ts';

/** The treatment of a call, by `type`. */
export type CallFlow =
  | FallbackFlow
  | { readonly type: 'PhoneMenuConfig'; readonly welcome: string; readonly menuOptions: readonly MenuOption[] }
  | ({ readonly type: 'AssistantConfig' } & AssistantAnswer);

/** The flows to which an assistant hands a call over. */
export type FallbackFlow =
  | { readonly type: 'WelcomeTransferConfig'; readonly welcome: string; readonly employeeIds: readonly string[] }
  | { readonly type: 'TransferConfig'; readonly employeeIds: readonly string[] }
  | { readonly type: 'RejectConfig'; readonly message: string }
  | { readonly type: 'VoicemailConfig'; readonly greeting: string }
  | ({ readonly type: 'ForwardConfig' } & Forward);

/** Calls a phone outside the company. */
export interface Forward {
  /** E.164; as it was written in a request. */
  readonly phoneNumber: string;
  readonly timeoutSecs: number;
  /** The person who answers must press a key to accept the call. */
  readonly confirm: boolean;
}

/** Has an assistant answer. */
export interface AssistantAnswer {
  readonly assistantId: string;
  /** Where the caller goes when the assistant cannot or should not go on. */
  readonly fallback: FallbackFlow;
}

export type CallFlowType = CallFlow['type'];

export type MenuActionType =
  | 'TransferConfig'
  | 'WelcomeTransferConfig'
  | 'VoicemailConfig'
  | 'PlayMessageConfig'
  | 'ForwardConfig'
  | 'AssistantConfig';

export interface MenuOption {
  /** Identifies the option within its number. */
  readonly id: number;
  /** 1 to 9. */
  readonly digit: string;
  readonly actionType: MenuActionType;
  /** Null for a plain transfer, a forward and an assistant. */
  readonly prompt: string | null;
  /** Empty unless the action transfers. */
  readonly employeeIds: readonly string[];
  /** Absent unless the action forwards. */
  readonly forward?: Forward;
  /** Absent unless an assistant answers. */
  readonly assistant?: AssistantAnswer;
}

/** The three slots of a number. */
export type RoutingSlot = 'incoming_call_config' | 'outside_business_hours_config' | 'no_answer_config';

/** One of the steps that a flow consists of: the flow itself, an option of its menu, or the fallback of an assistant. */
interface FlowPart {
  /** What its fields begin with, as a client writes paths: empty, `menu_options[1].`, `menu_options[1].fallback.`. */
  readonly path: string;
  /** The menu key that leads to it; null outside a menu. */
  readonly digit: string | null;
  readonly text?: string | null;
  /** Absent unless it transfers. */
  readonly employeeIds?: readonly string[];
  readonly forward?: Forward | undefined;
  readonly assistantId?: string;
}

function partsOf(flow: CallFlow | null): readonly FlowPart[] {
  if (flow === null) return [];
  switch (flow.type) {
    case 'PhoneMenuConfig':
      return [{ path: '', digit: null, text: flow.welcome }, ...flow.menuOptions.flatMap(optionParts)];
    case 'AssistantConfig':
      return assistantParts(flow, '', null);
    default:
      return [partOf(flow, '', null)];
  }
}

function optionParts(option: MenuOption, index: number): readonly FlowPart[] {
  const { digit, actionType, prompt: text, employeeIds, forward, assistant } = option;
  const path = `menu_options[${index}].`;
  if (assistant) return assistantParts(assistant, path, digit);
  const transfers = actionType === 'TransferConfig' || actionType === 'WelcomeTransferConfig';
  return [{ path, digit, text, forward, ...(transfers && { employeeIds }) }];
}

function assistantParts({ assistantId, fallback }: AssistantAnswer, path: string, digit: string | null): FlowPart[] {
  return [{ path, digit, assistantId }, partOf(fallback, `${path}fallback.`, digit)];
}

function partOf(flow: FallbackFlow, path: string, digit: string | null): FlowPart {
  switch (flow.type) {
    case 'WelcomeTransferConfig':
      return { path, digit, text: flow.welcome, employeeIds: flow.employeeIds };
    case 'TransferConfig':
      return { path, digit, employeeIds: flow.employeeIds };
    case 'RejectConfig':
      return { path, digit, text: flow.message };
    case 'VoicemailConfig':
      return { path, digit, text: flow.greeting };
    case 'ForwardConfig':
      return { path, digit, forward: flow };
  }
}

/** A flow's targets, and the menu key that leads to each group; null outside a menu. */
interface TransferTargets {
  readonly digit: string | null;
  readonly employeeIds: readonly string[];
}

/** Everyone a flow may ring, group by group. */
export function transferTargets(flow: CallFlow): readonly TransferTargets[] {
  return partsOf(flow).flatMap(({ digit, employeeIds = [] }) => (employeeIds.length > 0 ? { digit, employeeIds } : []));
}

/** An assistant that a flow has answer, its fallback, and the menu key that leads to both; null outside a menu. */
interface AssistantTarget extends AssistantAnswer {
  readonly digit: string | null;
}

/** Every assistant that a flow has answer. */
export function assistantTargets(flow: CallFlow | null): readonly AssistantTarget[] {
  if (flow?.type === 'AssistantConfig') return [{ ...flow, digit: null }];
  if (flow?.type !== 'PhoneMenuConfig') return [];
  return flow.menuOptions.flatMap(({ digit, assistant }) => (assistant ? { ...assistant, digit } : []));
}

/** Everyone a flow may ring, each once. */
export function employeesOf(flow: CallFlow | null): readonly string[] {
  return referencesOf([flow]).employeeIds;
}

/** Everyone and everything that flows name, each once. */
export interface FlowReferences {
  readonly employeeIds: readonly string[];
  readonly assistantIds: readonly string[];
}

export function referencesOf(flows: readonly (CallFlow | null)[]): FlowReferences {
  const parts = flows.flatMap(partsOf);
  return {
    employeeIds: [...new Set(parts.flatMap(({ employeeIds = [] }) => employeeIds))],
    assistantIds: [...new Set(parts.flatMap(({ assistantId }) => assistantId ?? []))],
  };
}

/** All texts of a flow, each once. */
export function textsOf(flow: CallFlow | null): readonly string[] {
  return [...new Set(partsOf(flow).flatMap(({ text }) => text ?? []))];
}

/** The forwards of a flow, and where each is, as a client writes paths: `menu_options[1].phone_number`. */
export function forwardsOf(flow: CallFlow | null): readonly { readonly path: string; readonly forward: Forward }[] {
  return partsOf(flow).flatMap(({ path, forward }) => (forward ? { path: `${path}phone_number`, forward } : []));
}

/** The same flow with other phone numbers in its forwards. */
export function withForwardNumbers(flow: CallFlow, numberOf: (written: string) => string): CallFlow {
  const changed = <Kind extends Forward>(forward: Kind) => ({ ...forward, phoneNumber: numberOf(forward.phoneNumber) });
  return withParts(flow, {
    flow: (one) => (one.type === 'ForwardConfig' ? changed(one) : one),
    option: (option) => (option.forward ? { ...option, forward: changed(option.forward) } : option),
  });
}

/** The same flow without repeated employees in a list: an employee who is listed twice rings once. */
export function withoutRepeatedEmployees(flow: CallFlow): CallFlow {
  const once = (ids: readonly string[]) => [...new Set(ids)];
  return withParts(flow, {
    flow: (one) => ('employeeIds' in one ? { ...one, employeeIds: once(one.employeeIds) } : one),
    option: (option) => ({ ...option, employeeIds: once(option.employeeIds) }),
  });
}

interface PartChanges {
  readonly flow: (flow: FallbackFlow) => FallbackFlow;
  readonly option: (option: MenuOption) => MenuOption;
}

function withParts(flow: CallFlow, changes: PartChanges): CallFlow {
  const answer = <Kind extends AssistantAnswer>(one: Kind): Kind => ({ ...one, fallback: changes.flow(one.fallback) });
  switch (flow.type) {
    case 'PhoneMenuConfig': {
      const menuOptions = flow.menuOptions.map(changes.option).map((option) => ({
        ...option,
        ...(option.assistant && { assistant: answer(option.assistant) }),
      }));
      return { ...flow, menuOptions };
    }
    case 'AssistantConfig':
      return answer(flow);
    default:
      return changes.flow(flow);
  }
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

/** Ids in a flow that are not the company's, or are just being deleted. */
export interface UnknownReferences {
  readonly employees: ReadonlySet<string>;
  readonly assistants: ReadonlySet<string>;
}

/**
 * Rules of a flow besides its shape, which the gateway has checked: at least one employee to ring, distinct keys, and
 * employees and assistants of the company.
 */
export function checkCallFlow(flow: CallFlow, unknown: UnknownReferences, problems: Problems): void {
  if (flow.type === 'PhoneMenuConfig') {
    const digits = flow.menuOptions.map(({ digit }) => digit);
    digits.forEach((digit, index) => {
      if (digits.indexOf(digit) < index) problems.add(`menu_options[${index}].digit`, 'has already been taken');
    });
  }
  for (const { path, employeeIds, assistantId } of partsOf(flow)) {
    if (employeeIds?.length === 0) problems.add(`${path}employee_ids`, 'must have at least 1 item');
    employeeIds?.forEach((id, index) => {
      if (unknown.employees.has(id)) problems.add(`${path}employee_ids[${index}]`, 'is not an employee of the company');
    });
    if (assistantId !== undefined && unknown.assistants.has(assistantId))
      problems.add(`${path}assistant_id`, 'is not an assistant of the company');
  }
}
