/** What happens to a call; `type` tells which. */
export type CallFlow =
  | { readonly type: 'WelcomeTransferConfig'; readonly welcome: string; readonly employeeIds: readonly string[] }
  | { readonly type: 'TransferConfig'; readonly employeeIds: readonly string[] }
  | { readonly type: 'RejectConfig'; readonly message: string }
  | { readonly type: 'VoicemailConfig'; readonly greeting: string }
  | { readonly type: 'PhoneMenuConfig'; readonly welcome: string; readonly menuOptions: readonly MenuOption[] };

export type CallFlowType = CallFlow['type'];

export type MenuActionType = 'TransferConfig' | 'WelcomeTransferConfig' | 'VoicemailConfig' | 'PlayMessageConfig';

export interface MenuOption {
  /** Tells the options of a number apart. */
  readonly id: number;
  /** 1 to 9. */
  readonly digit: string;
  readonly actionType: MenuActionType;
  /** Null for a plain transfer. */
  readonly prompt: string | null;
  /** Empty unless the action transfers. */
  readonly employeeIds: readonly string[];
}

/** The three places a flow can stand in. */
export type RoutingSlot = 'incoming_call_config' | 'outside_business_hours_config' | 'no_answer_config';

/** A flow's targets, and the menu key that leads to each group; null outside a menu. */
export interface TransferTargets {
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

/** Everything a flow says, each text once. */
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
