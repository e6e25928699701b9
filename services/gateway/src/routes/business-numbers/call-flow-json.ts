import {
  type AssistantConfig,
  type CallFlowConfig,
  type ForwardConfig,
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
  [MenuAction.FORWARD]: 'ForwardConfig',
  [MenuAction.ASSISTANT]: 'AssistantConfig',
} as const satisfies Record<MenuAction, string>;

const forwardSchema = {
  phone_number: z.string().describe('E.164'),
  timeout_secs: z.int(),
  confirm: z.boolean().describe('Whether who answers must press 1 to accept the call'),
};

const fallbackTypes = [
  z.object({
    type: z.literal('WelcomeTransferConfig'),
    welcome: z.string(),
    welcome_audio_url: audioUrl,
    employee_ids: z.array(z.string()),
  }),
  z.object({ type: z.literal('TransferConfig'), employee_ids: z.array(z.string()) }),
  z.object({ type: z.literal('RejectConfig'), message: z.string(), message_audio_url: audioUrl }),
  z.object({ type: z.literal('VoicemailConfig'), greeting: z.string(), greeting_audio_url: audioUrl }),
  z.object({ type: z.literal('ForwardConfig'), ...forwardSchema }),
] as const;

const fallbackSchema = z.discriminatedUnion('type', fallbackTypes).meta({ id: 'FallbackConfig' });

const assistantSchema = {
  assistant_id: z.string(),
  assistant: z
    .object({ id: z.string(), name: z.string() })
    .describe('Its name now; empty while the assistants cannot be reached'),
  fallback: fallbackSchema.describe('Where the caller goes when the assistant cannot or should not go on'),
};

const menuOptionSchema = z
  .object({
    id: z.int(),
    digit: z.string(),
    action_type: z.enum([
      'TransferConfig',
      'WelcomeTransferConfig',
      'VoicemailConfig',
      'PlayMessageConfig',
      'ForwardConfig',
      'AssistantConfig',
    ]),
    prompt: z.string().nullable(),
    prompt_audio_url: audioUrl,
    employee_ids: z.array(z.string()),
    phone_number: forwardSchema.phone_number.optional().describe('Only of a ForwardConfig'),
    timeout_secs: forwardSchema.timeout_secs.optional().describe('Only of a ForwardConfig'),
    confirm: forwardSchema.confirm.optional().describe('Only of a ForwardConfig'),
    assistant_id: assistantSchema.assistant_id.optional().describe('Only of an AssistantConfig'),
    assistant: assistantSchema.assistant.optional().describe('Only of an AssistantConfig'),
    fallback: assistantSchema.fallback.optional().describe('Only of an AssistantConfig'),
  })
  .meta({ id: 'MenuOption' });

export const callFlowSchema = z
  .discriminatedUnion('type', [
    ...fallbackTypes,
    z.object({
      type: z.literal('PhoneMenuConfig'),
      welcome: z.string(),
      welcome_audio_url: audioUrl,
      menu_options: z.array(menuOptionSchema),
    }),
    z.object({ type: z.literal('AssistantConfig'), ...assistantSchema }),
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
    case 'forward':
      return { type: 'ForwardConfig', ...forwardJson(config.value) };
    case 'assistant':
      return { type: 'AssistantConfig', ...assistantJson(config.value) };
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
    ...(option.forward && forwardJson(option.forward)),
    ...(option.assistant && assistantJson(option.assistant)),
  };
}

function assistantJson({ assistantId, assistantName, fallback }: AssistantConfig) {
  const flow = fallback && callFlowJson(fallback);
  if (!flow || flow.type === 'PhoneMenuConfig' || flow.type === 'AssistantConfig')
    throw new Error('an assistant without a fallback');
  return { assistant_id: assistantId, assistant: { id: assistantId, name: assistantName }, fallback: flow };
}

function forwardJson({ phoneNumber, timeoutSecs, confirm }: ForwardConfig) {
  return { phone_number: phoneNumber, timeout_secs: timeoutSecs, confirm };
}

function textOf(prompt: Prompt | undefined): string {
  return prompt?.text ?? '';
}

function urlOf(prompt: Prompt | undefined): string | null {
  return prompt?.audioUrl ?? null;
}
