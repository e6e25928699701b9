import {
  type CallFlowConfig,
  MenuAction,
  type MenuOption,
  type Prompt,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { z } from 'zod';

const audioUrl = z.string().nullable().describe('Generated audio; null while generation is pending');

const menuActions = {
  [MenuAction.UNSPECIFIED]: 'TransferConfig',
  [MenuAction.TRANSFER]: 'TransferConfig',
  [MenuAction.WELCOME_TRANSFER]: 'WelcomeTransferConfig',
  [MenuAction.VOICEMAIL]: 'VoicemailConfig',
  [MenuAction.PLAY_MESSAGE]: 'PlayMessageConfig',
} as const satisfies Record<MenuAction, string>;

const menuOptionSchema = z
  .object({
    id: z.int(),
    digit: z.string(),
    action_type: z.enum(['TransferConfig', 'WelcomeTransferConfig', 'VoicemailConfig', 'PlayMessageConfig']),
    prompt: z.string().nullable(),
    prompt_audio_url: audioUrl,
    employee_ids: z.array(z.string()),
  })
  .meta({ id: 'MenuOption' });

/** What happens to a call, as partners read it. */
export const callFlowSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('WelcomeTransferConfig'),
      welcome: z.string(),
      welcome_audio_url: audioUrl,
      employee_ids: z.array(z.string()),
    }),
    z.object({ type: z.literal('TransferConfig'), employee_ids: z.array(z.string()) }),
    z.object({ type: z.literal('RejectConfig'), message: z.string(), message_audio_url: audioUrl }),
    z.object({ type: z.literal('VoicemailConfig'), greeting: z.string(), greeting_audio_url: audioUrl }),
    z.object({
      type: z.literal('PhoneMenuConfig'),
      welcome: z.string(),
      welcome_audio_url: audioUrl,
      menu_options: z.array(menuOptionSchema),
    }),
  ])
  .meta({ id: 'CallFlowConfig' });

type CallFlowJson = z.output<typeof callFlowSchema>;

export function callFlowJson({ config }: CallFlowConfig): CallFlowJson {
  switch (config.case) {
    case 'welcomeTransfer': {
      const { welcome, employeeIds } = config.value;
      const type = 'WelcomeTransferConfig';
      return { type, welcome: textOf(welcome), welcome_audio_url: urlOf(welcome), employee_ids: employeeIds };
    }
    case 'transfer':
      return { type: 'TransferConfig', employee_ids: config.value.employeeIds };
    case 'reject': {
      const { message } = config.value;
      return { type: 'RejectConfig', message: textOf(message), message_audio_url: urlOf(message) };
    }
    case 'voicemail': {
      const { greeting } = config.value;
      return { type: 'VoicemailConfig', greeting: textOf(greeting), greeting_audio_url: urlOf(greeting) };
    }
    case 'phoneMenu': {
      const { welcome, menuOptions } = config.value;
      const type = 'PhoneMenuConfig';
      const menu_options = menuOptions.map(menuOptionJson);
      return { type, welcome: textOf(welcome), welcome_audio_url: urlOf(welcome), menu_options };
    }
    case undefined:
      throw new Error('a call flow without a type');
  }
}

function menuOptionJson(option: MenuOption): z.output<typeof menuOptionSchema> {
  return {
    id: option.id,
    digit: option.digit,
    action_type: menuActions[option.action],
    prompt: option.prompt?.text ?? null,
    prompt_audio_url: urlOf(option.prompt),
    employee_ids: option.employeeIds,
  };
}

function textOf(prompt: Prompt | undefined): string {
  return prompt?.text ?? '';
}

function urlOf(prompt: Prompt | undefined): string | null {
  return prompt?.audioUrl ?? null;
}
