import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, Refused } from '@parley/errors';
import {
  type CallFlowConfig,
  type CallFlowConfigSchema,
  MenuAction,
  type MenuOption as MenuOptionProto,
  type MenuOptionSchema,
  type PromptSchema,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { RoutingSlot as SlotProto } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { CallFlow, Forward, MenuActionType, MenuOption, RoutingSlot } from './call-flow.ts';

/** The audio of a text: its content hash always, the rest once it exists. */
export interface PromptAudioView {
  readonly contentHash: string;
  readonly audioUrl?: string;
  readonly durationMs?: number;
}

export function callFlowToProto(
  flow: CallFlow,
  audioOf: (text: string) => PromptAudioView,
): MessageInitShape<typeof CallFlowConfigSchema> {
  const say = (text: string): MessageInitShape<typeof PromptSchema> => ({ text, ...audioOf(text) });
  switch (flow.type) {
    case 'WelcomeTransferConfig': {
      const value = { welcome: say(flow.welcome), employeeIds: [...flow.employeeIds] };
      return { config: { case: 'welcomeTransfer', value } };
    }
    case 'TransferConfig':
      return { config: { case: 'transfer', value: { employeeIds: [...flow.employeeIds] } } };
    case 'RejectConfig':
      return { config: { case: 'reject', value: { message: say(flow.message) } } };
    case 'VoicemailConfig':
      return { config: { case: 'voicemail', value: { greeting: say(flow.greeting) } } };
    case 'ForwardConfig':
      return { config: { case: 'forward', value: forwardToProto(flow) } };
    case 'PhoneMenuConfig': {
      const menuOptions = flow.menuOptions.map((option) => menuOptionToProto(option, say));
      return { config: { case: 'phoneMenu', value: { welcome: say(flow.welcome), menuOptions } } };
    }
  }
}

const actions: Record<MenuActionType, MenuAction> = {
  TransferConfig: MenuAction.TRANSFER,
  WelcomeTransferConfig: MenuAction.WELCOME_TRANSFER,
  VoicemailConfig: MenuAction.VOICEMAIL,
  PlayMessageConfig: MenuAction.PLAY_MESSAGE,
  ForwardConfig: MenuAction.FORWARD,
};

function menuOptionToProto(
  option: MenuOption,
  say: (text: string) => MessageInitShape<typeof PromptSchema>,
): MessageInitShape<typeof MenuOptionSchema> {
  return {
    id: option.id,
    digit: option.digit,
    action: actions[option.actionType],
    ...(option.prompt !== null && { prompt: say(option.prompt) }),
    employeeIds: [...option.employeeIds],
    ...(option.forward && { forward: forwardToProto(option.forward) }),
  };
}

function forwardToProto({ phoneNumber, timeoutSecs, confirm }: Forward) {
  return { phoneNumber, timeoutSecs, confirm };
}

const WITHOUT_PROMPT: readonly MenuActionType[] = ['TransferConfig', 'ForwardConfig'];
/** Before it is saved: the number assigns the real id. */
const UNASSIGNED_ID = 0;

/** A flow as a request carries it; its audio and option ids are the service's own to give. */
export function callFlowFromProto({ config }: CallFlowConfig): CallFlow {
  switch (config.case) {
    case 'welcomeTransfer': {
      const { welcome, employeeIds } = config.value;
      return { type: 'WelcomeTransferConfig', welcome: welcome?.text ?? '', employeeIds };
    }
    case 'transfer':
      return { type: 'TransferConfig', employeeIds: config.value.employeeIds };
    case 'reject':
      return { type: 'RejectConfig', message: config.value.message?.text ?? '' };
    case 'voicemail':
      return { type: 'VoicemailConfig', greeting: config.value.greeting?.text ?? '' };
    case 'phoneMenu': {
      const { welcome, menuOptions } = config.value;
      return {
        type: 'PhoneMenuConfig',
        welcome: welcome?.text ?? '',
        menuOptions: menuOptions.map(menuOptionFromProto),
      };
    }
    case 'forward':
      return { type: 'ForwardConfig', ...forwardToProto(config.value) };
    case undefined:
      throw new Refused(invalid({ type: ['is required'] }));
  }
}

function menuOptionFromProto(option: MenuOptionProto, index: number): MenuOption {
  const { digit, action, prompt, employeeIds, forward } = option;
  const actionType = (Object.keys(actions) as MenuActionType[]).find((name) => actions[name] === action);
  if (!actionType) throw new Refused(invalid({ [`menu_options[${index}].action_type`]: ['is required'] }));
  const transfers = actionType === 'TransferConfig' || actionType === 'WelcomeTransferConfig';
  return {
    id: UNASSIGNED_ID,
    digit,
    actionType,
    prompt: WITHOUT_PROMPT.includes(actionType) ? null : (prompt?.text ?? ''),
    employeeIds: transfers ? employeeIds : [],
    ...(actionType === 'ForwardConfig' && forward && { forward: forwardToProto(forward) }),
  };
}

const slots: Record<RoutingSlot, SlotProto> = {
  incoming_call_config: SlotProto.INCOMING_CALL,
  outside_business_hours_config: SlotProto.OUTSIDE_BUSINESS_HOURS,
  no_answer_config: SlotProto.NO_ANSWER,
};

export function slotToProto(slot: RoutingSlot): SlotProto {
  return slots[slot];
}
