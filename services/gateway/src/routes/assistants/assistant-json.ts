import type { MessageInitShape } from '@bufbuild/protobuf';
import { boundedArray } from '@parley/http';
import {
  type Assistant,
  AssistantEngine,
  type AssistantFieldsSchema,
  type TransferTarget,
} from '@parley/proto/assistant/v1/assistants_pb';
import { isoTimeOf } from '@parley/public-json';
import { z } from 'zod';
import { boundedText, lineText, longText, phoneText } from '../shared/bounded-text.ts';

const engines = { auto: AssistantEngine.AUTO, embedded: AssistantEngine.EMBEDDED } as const;
const engineSchema = z.enum(['auto', 'embedded']);

const actionsSchema = z.object({
  transfer: z.boolean(),
  take_message: z.boolean(),
  request_callback: z.boolean(),
  send_text: z.boolean(),
});

const targetSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    employee_ids: z.array(z.string()).describe('Who is rung; empty for a phone outside'),
    phone_number: z.string().nullable().describe('E.164 of a phone outside'),
  })
  .meta({ id: 'TransferTarget' });

/** An assistant as partners see it. */
export const assistantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    language: z.string(),
    disclosure: z.string(),
    greeting: z.string(),
    instructions: z.string(),
    voice: z.string().nullable(),
    engine: engineSchema,
    actions: actionsSchema,
    transfer_targets: z.array(targetSchema),
    reach_employees_by_name: z.boolean(),
    recognise_callers: z.boolean(),
    keep_transcript: z.boolean(),
    max_duration_secs: z.int(),
    silence_secs: z.int(),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Assistant' });

const TARGETS_MAX = 50;
const ALIASES_MAX = 10;
const TARGET_EMPLOYEES_MAX = 50;
const ID_LENGTH_MAX = 64;

const targetBody = z.object({
  name: lineText(64).describe('How callers call it, 1 to 64 characters'),
  aliases: boundedArray(lineText(64), ALIASES_MAX).nullish().describe('Other names'),
  employee_ids: boundedArray(z.string().max(ID_LENGTH_MAX), TARGET_EMPLOYEES_MAX)
    .nullish()
    .describe('Who is rung at once; or'),
  phone_number: phoneText.nullish().describe('a phone outside; national numbers are read with the company’s country'),
});

const assistantFields = {
  name: lineText(40).describe('How it introduces itself, 1 to 40 characters'),
  language: boundedText(35).describe('One of `languages` of GET /assistant_options; default `en`'),
  disclosure: longText(200).describe(
    'Its first words, 1 to 200 characters; default in the language: “You are speaking with an automated assistant.”',
  ),
  greeting: longText(500).describe('Follows the disclosure, 1 to 500 characters'),
  instructions: longText(4000).describe('For a language model only, at most 4,000 characters'),
  voice: boundedText(100)
    .nullable()
    .describe('One of `voices` of GET /assistant_options; null for that of the language'),
  engine: engineSchema.describe(
    '`auto`: the company’s language model, else the operator’s, else the embedded engine; or `embedded`',
  ),
  actions: actionsSchema
    .partial()
    .describe('What it may do; omitted ones keep their values. All but `send_text` are on by default'),
  transfer_targets: boundedArray(targetBody, TARGETS_MAX).describe(
    'Whom it may transfer to, beside employees by name; replaces the list',
  ),
  reach_employees_by_name: z.boolean().describe('Whether a caller may ask for any employee by name; default true'),
  recognise_callers: z.boolean().describe('Whether a contact’s name is used in the greeting; default true'),
  keep_transcript: z.boolean().describe('Whether what was said is kept after the call; default true'),
  max_duration_secs: z.int32().meta({ minimum: 60, maximum: 1800 }).describe('Default 600'),
  silence_secs: z
    .int32()
    .meta({ minimum: 4, maximum: 20 })
    .describe('The silence after which it asks again; default 7'),
  active: z.boolean().describe('False: calls go to the fallback at once; default true'),
};

export const newAssistantBody = z
  .object(assistantFields)
  .partial()
  .extend({ name: assistantFields.name, greeting: assistantFields.greeting });
export const assistantChangeBody = z.object(assistantFields).partial();

export function assistantJson(assistant: Assistant): z.output<typeof assistantSchema> {
  const { actions } = assistant;
  return {
    id: assistant.id,
    name: assistant.name,
    language: assistant.language,
    disclosure: assistant.disclosure,
    greeting: assistant.greeting,
    instructions: assistant.instructions,
    voice: assistant.voice ?? null,
    engine: assistant.engine === AssistantEngine.EMBEDDED ? 'embedded' : 'auto',
    actions: {
      transfer: actions?.transfer ?? false,
      take_message: actions?.takeMessage ?? false,
      request_callback: actions?.requestCallback ?? false,
      send_text: actions?.sendText ?? false,
    },
    transfer_targets: assistant.transferTargets.map(targetJson),
    reach_employees_by_name: assistant.reachEmployeesByName,
    recognise_callers: assistant.recogniseCallers,
    keep_transcript: assistant.keepTranscript,
    max_duration_secs: assistant.maxDurationSecs,
    silence_secs: assistant.silenceSecs,
    active: assistant.active,
    created_at: isoTimeOf(assistant.createdAt),
    updated_at: isoTimeOf(assistant.updatedAt),
  };
}

function targetJson({ id, name, aliases, employeeIds, phoneNumber }: TransferTarget): z.output<typeof targetSchema> {
  return { id, name, aliases, employee_ids: employeeIds, phone_number: phoneNumber ?? null };
}

export function assistantMessage(
  body: z.output<typeof assistantChangeBody>,
): MessageInitShape<typeof AssistantFieldsSchema> {
  const { actions, transfer_targets: targets } = body;
  return {
    name: body.name,
    language: body.language,
    disclosure: body.disclosure,
    greeting: body.greeting,
    instructions: body.instructions,
    voice: body.voice === null ? '' : body.voice,
    engine: body.engine && engines[body.engine],
    ...(actions && {
      actions: {
        transfer: actions.transfer,
        takeMessage: actions.take_message,
        requestCallback: actions.request_callback,
        sendText: actions.send_text,
      },
    }),
    ...(targets && { transferTargets: { targets: targets.map(targetMessage) } }),
    reachEmployeesByName: body.reach_employees_by_name,
    recogniseCallers: body.recognise_callers,
    keepTranscript: body.keep_transcript,
    maxDurationSecs: body.max_duration_secs,
    silenceSecs: body.silence_secs,
    active: body.active,
  };
}

function targetMessage({ name, aliases, employee_ids: employeeIds, phone_number: phone }: z.output<typeof targetBody>) {
  return {
    name,
    aliases: aliases ?? [],
    employeeIds: employeeIds ?? [],
    ...(phone !== null && phone !== undefined && { phoneNumber: phone }),
  };
}
