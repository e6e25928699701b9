import type { MessageInitShape } from '@bufbuild/protobuf';
import { boundedArray } from '@parley/http';
import {
  type AssistantConfigSchema,
  type CallFlowConfigSchema,
  MenuAction,
  type MenuOptionSchema,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { z } from 'zod';
import { cleanText } from '../shared/bounded-text.ts';

/** In characters, as people count them. */
const TEXT_LENGTH_MAX = 10_000;
/** In UTF-16 units: no text of allowed length has more. */
export const TEXT_UNITS_MAX = 2 * TEXT_LENGTH_MAX;
/** The number of employees a company may have. */
export const EMPLOYEES_MAX = 1000;
export const MENU_OPTIONS_MAX = 9;
export const ID_LENGTH_MAX = 64;

const ACTION_TYPES = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'VoicemailConfig',
  'PlayMessageConfig',
  'ForwardConfig',
  'AssistantConfig',
] as const;
const FALLBACK_TYPES = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'VoicemailConfig',
  'RejectConfig',
  'ForwardConfig',
] as const;
const TYPES = [
  'WelcomeTransferConfig',
  'TransferConfig',
  'RejectConfig',
  'VoicemailConfig',
  'PhoneMenuConfig',
  'ForwardConfig',
  'AssistantConfig',
] as const;

const spokenText = z
  .string({ error: ({ input }) => (input === undefined || input === null ? 'is required' : 'must be a string') })
  .overwrite(cleanText)
  .refine((text) => text.trim() !== '', { error: 'must not be blank', abort: true })
  .refine((text) => text.length <= TEXT_UNITS_MAX && [...text].length <= TEXT_LENGTH_MAX, {
    error: `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`,
  })
  .meta({ minLength: 1, maxLength: TEXT_LENGTH_MAX });

const employeeIds = boundedArray(z.string().max(ID_LENGTH_MAX), EMPLOYEES_MAX, 1);

const digit = z.string().regex(/^[1-9]$/, { error: 'must be a single key, 1 to 9' });

const FORWARD_SECS = { min: 5, max: 300 };

const forwardFields = {
  phone_number: z.string().max(40).describe('Outside the company; national numbers are read with its country'),
  timeout_secs: z
    .int()
    .min(FORWARD_SECS.min)
    .max(FORWARD_SECS.max)
    .describe('How long it rings; after that no_answer_config applies'),
  confirm: z
    .boolean()
    .default(true)
    .describe('Whether who answers must press 1 to accept the call, so that no mailbox takes it'),
};

const fallbackTypes = [
  z.object({ type: z.literal('WelcomeTransferConfig'), welcome: spokenText, employee_ids: employeeIds }),
  z.object({ type: z.literal('TransferConfig'), employee_ids: employeeIds }),
  z.object({ type: z.literal('RejectConfig'), message: spokenText }),
  z.object({ type: z.literal('VoicemailConfig'), greeting: spokenText }),
  z.object({ type: z.literal('ForwardConfig'), ...forwardFields }),
] as const;

const assistantFields = {
  assistant_id: z.string().max(ID_LENGTH_MAX),
  fallback: z
    .discriminatedUnion('type', fallbackTypes, {
      error: (issue) => discriminatorError(issue, 'type', FALLBACK_TYPES),
    })
    .describe('Where the caller goes when the assistant cannot or should not go on'),
};

const menuAction = z.discriminatedUnion(
  'action_type',
  [
    z.object({ action_type: z.literal('TransferConfig'), employee_ids: employeeIds }),
    z.object({ action_type: z.literal('WelcomeTransferConfig'), prompt: spokenText, employee_ids: employeeIds }),
    z.object({ action_type: z.literal('VoicemailConfig'), prompt: spokenText }),
    z.object({ action_type: z.literal('PlayMessageConfig'), prompt: spokenText }),
    z.object({ action_type: z.literal('ForwardConfig'), ...forwardFields }),
    z.object({ action_type: z.literal('AssistantConfig'), ...assistantFields }),
  ],
  { error: (issue) => discriminatorError(issue, 'action_type', ACTION_TYPES) },
);

/** Two sides, so that a wrong key is named beside a wrong action. */
const menuOption = z.object({ digit }).and(menuAction);

const menuOptions = boundedArray(menuOption, MENU_OPTIONS_MAX, 1).superRefine(
  (options, context) => {
    const digits = options.map((option) => option?.digit);
    digits.forEach((key, index) => {
      if (typeof key === 'string' && digits.indexOf(key) < index)
        context.addIssue({ code: 'custom', path: [index, 'digit'], message: 'has already been taken' });
    });
  },
  // Also when another field is wrong: one response names them all.
  { when: ({ value }) => Array.isArray(value) },
);

const flowTypes = [
  ...fallbackTypes,
  z.object({ type: z.literal('PhoneMenuConfig'), welcome: spokenText, menu_options: menuOptions }),
  z.object({ type: z.literal('AssistantConfig'), ...assistantFields }),
] as const;

/** A call flow as clients send it. Fields of another type are ignored. */
export const callFlowBody = z.discriminatedUnion('type', flowTypes, {
  error: (issue) => (typeIn(issue.input) === null ? 'cannot be cleared' : discriminatorError(issue, 'type', TYPES)),
});

/** A call flow, or a null type that clears the slot. */
export const clearableCallFlowBody = z.discriminatedUnion(
  'type',
  [z.object({ type: z.null().describe('Clears the slot') }), ...flowTypes],
  { error: (issue) => discriminatorError(issue, 'type', TYPES) },
);

export type CallFlowBody = z.output<typeof callFlowBody>;
type CallFlowMessage = MessageInitShape<typeof CallFlowConfigSchema>;

/** Undefined for a null type: it clears the slot. */
export function clearableCallFlowMessage(body: z.output<typeof clearableCallFlowBody>): CallFlowMessage | undefined {
  return body.type === null ? undefined : callFlowMessage(body);
}

export function callFlowMessage(flow: CallFlowBody): CallFlowMessage {
  switch (flow.type) {
    case 'WelcomeTransferConfig': {
      const value = { welcome: { text: flow.welcome }, employeeIds: flow.employee_ids };
      return { config: { case: 'welcomeTransfer', value } };
    }
    case 'TransferConfig':
      return { config: { case: 'transfer', value: { employeeIds: flow.employee_ids } } };
    case 'RejectConfig':
      return { config: { case: 'reject', value: { message: { text: flow.message } } } };
    case 'VoicemailConfig':
      return { config: { case: 'voicemail', value: { greeting: { text: flow.greeting } } } };
    case 'PhoneMenuConfig': {
      const value = { welcome: { text: flow.welcome }, menuOptions: flow.menu_options.map(menuOptionMessage) };
      return { config: { case: 'phoneMenu', value } };
    }
    case 'ForwardConfig':
      return { config: { case: 'forward', value: forwardMessage(flow) } };
    case 'AssistantConfig':
      return { config: { case: 'assistant', value: assistantMessage(flow) } };
  }
}

const actions: Record<(typeof ACTION_TYPES)[number], MenuAction> = {
  TransferConfig: MenuAction.TRANSFER,
  WelcomeTransferConfig: MenuAction.WELCOME_TRANSFER,
  VoicemailConfig: MenuAction.VOICEMAIL,
  PlayMessageConfig: MenuAction.PLAY_MESSAGE,
  ForwardConfig: MenuAction.FORWARD,
  AssistantConfig: MenuAction.ASSISTANT,
};

function menuOptionMessage(option: z.output<typeof menuOption>): MessageInitShape<typeof MenuOptionSchema> {
  return {
    digit: option.digit,
    action: actions[option.action_type],
    ...('prompt' in option && { prompt: { text: option.prompt } }),
    employeeIds: 'employee_ids' in option ? option.employee_ids : [],
    ...(option.action_type === 'ForwardConfig' && { forward: forwardMessage(option) }),
    ...(option.action_type === 'AssistantConfig' && { assistant: assistantMessage(option) }),
  };
}

function forwardMessage(body: { phone_number: string; timeout_secs: number; confirm: boolean }) {
  return { phoneNumber: body.phone_number, timeoutSecs: body.timeout_secs, confirm: body.confirm };
}

function assistantMessage(body: {
  assistant_id: string;
  fallback: z.output<typeof assistantFields.fallback>;
}): MessageInitShape<typeof AssistantConfigSchema> {
  return { assistantId: body.assistant_id, fallback: callFlowMessage(body.fallback) };
}

function discriminatorError(issue: z.core.$ZodRawIssue, field: string, values: readonly string[]): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const given = (issue.input as Readonly<Record<string, unknown>>)[field];
  return given === undefined ? 'is required' : `must be one of ${values.join(', ')}`;
}

function typeIn(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>)['type'] : undefined;
}
