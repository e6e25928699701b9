import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CallFlowConfigSchema,
  MenuAction,
  type MenuOptionSchema,
  type PromptSchema,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { RoutingSlot as SlotProto } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { CallFlow, MenuActionType, MenuOption, RoutingSlot } from './call-flow.ts';

/** Where a text can be heard, and for how long. */
export interface PromptSound {
  readonly audioUrl: string;
  readonly durationMs: number;
}

type SoundOf = (text: string) => PromptSound | undefined;

export function callFlowToProto(
  flow: CallFlow,
  soundOf: SoundOf = () => undefined,
): MessageInitShape<typeof CallFlowConfigSchema> {
  const say = (text: string): MessageInitShape<typeof PromptSchema> => ({ text, ...soundOf(text) });
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
