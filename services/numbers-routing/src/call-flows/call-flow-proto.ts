import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, Refused } from '@parley/errors';
import {
  type AssistantConfig,
  type AssistantConfigSchema,
  type CallFlowConfig,
  type CallFlowConfigSchema,
  MenuAction,
  type MenuOption as MenuOptionProto,
  type MenuOptionSchema,
  type PromptSchema,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { RoutingSlot as SlotProto } from '@parley/proto/numbers_routing/v1/routing_pb';
import type {
  AssistantAnswer,
  CallFlow,
  FallbackFlow,
  Forward,
  MenuActionType,
  MenuOption,
  RoutingSlot,
} from './call-flow.ts';

/** The audio of a text: its content hash always, the rest once it exists. */
export interface PromptAudioView {
  readonly contentHash: string;
  readonly audioUrl?: string;
  readonly durationMs?: number;
}

/** What a reader of a flow sees beside its fields. */
export interface FlowDetails {
  readonly audioOf: (text: string) => PromptAudioView;
  /** Empty for an unknown one. */
  readonly assistantName: (id: string) => string;
}

export function callFlowToProto(flow: CallFlow, details: FlowDetails): MessageInitShape<typeof CallFlowConfigSchema> {
  const say = (text: string): MessageInitShape<typeof PromptSchema> => ({ text, ...details.audioOf(text) });
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
      const menuOptions = flow.menuOptions.map((option) => menuOptionToProto(option, details));
      return { config: { case: 'phoneMenu', value: { welcome: say(flow.welcome), menuOptions } } };
    }
    case 'AssistantConfig':
      return { config: { case: 'assistant', value: assistantToProto(flow, details) } };
  }
}

const actions: Record<MenuActionType, MenuAction> = {
  TransferConfig: MenuAction.TRANSFER,
  WelcomeTransferConfig: MenuAction.WELCOME_TRANSFER,
  VoicemailConfig: MenuAction.VOICEMAIL,
  PlayMessageConfig: MenuAction.PLAY_MESSAGE,
  ForwardConfig: MenuAction.FORWARD,
  AssistantConfig: MenuAction.ASSISTANT,
};

function menuOptionToProto(
  { id, digit, actionType, prompt, employeeIds, forward, assistant }: MenuOption,
  details: FlowDetails,
): MessageInitShape<typeof MenuOptionSchema> {
  return {
    id,
    digit,
    action: actions[actionType],
    ...(prompt !== null && { prompt: { text: prompt, ...details.audioOf(prompt) } }),
    employeeIds: [...employeeIds],
    ...(forward && { forward: forwardToProto(forward) }),
    ...(assistant && { assistant: assistantToProto(assistant, details) }),
  };
}

function assistantToProto(
  { assistantId, fallback }: AssistantAnswer,
  details: FlowDetails,
): MessageInitShape<typeof AssistantConfigSchema> {
  const assistantName = details.assistantName(assistantId);
  return { assistantId, assistantName, fallback: callFlowToProto(fallback, details) };
}

function forwardToProto({ phoneNumber, timeoutSecs, confirm }: Forward) {
  return { phoneNumber, timeoutSecs, confirm };
}

const WITHOUT_PROMPT: readonly MenuActionType[] = ['TransferConfig', 'ForwardConfig', 'AssistantConfig'];
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
    case 'assistant':
      return { type: 'AssistantConfig', ...assistantFromProto(config.value, '') };
    case undefined:
      throw new Refused(invalid({ type: ['is required'] }));
  }
}

/** `path` is what its fields begin with, as a client writes paths. */
function assistantFromProto({ assistantId, fallback }: AssistantConfig, path: string): AssistantAnswer {
  if (!fallback?.config.case) throw new Refused(invalid({ [`${path}fallback`]: ['is required'] }));
  const flow = callFlowFromProto(fallback);
  if (isFallback(flow)) return { assistantId, fallback: flow };
  throw new Refused(invalid({ [`${path}fallback.type`]: ['cannot be a menu or an assistant'] }));
}

function isFallback(flow: CallFlow): flow is FallbackFlow {
  return flow.type !== 'PhoneMenuConfig' && flow.type !== 'AssistantConfig';
}

function menuOptionFromProto(option: MenuOptionProto, index: number): MenuOption {
  const { digit, action, prompt, employeeIds, forward, assistant } = option;
  const actionType = (Object.keys(actions) as MenuActionType[]).find((name) => actions[name] === action);
  const path = `menu_options[${index}].`;
  if (!actionType) throw new Refused(invalid({ [`${path}action_type`]: ['is required'] }));
  if (actionType === 'AssistantConfig' && !assistant)
    throw new Refused(invalid({ [`${path}assistant_id`]: ['is required'] }));
  const transfers = actionType === 'TransferConfig' || actionType === 'WelcomeTransferConfig';
  return {
    id: UNASSIGNED_ID,
    digit,
    actionType,
    prompt: WITHOUT_PROMPT.includes(actionType) ? null : (prompt?.text ?? ''),
    employeeIds: transfers ? employeeIds : [],
    ...(actionType === 'ForwardConfig' && forward && { forward: forwardToProto(forward) }),
    ...(actionType === 'AssistantConfig' && assistant && { assistant: assistantFromProto(assistant, path) }),
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
