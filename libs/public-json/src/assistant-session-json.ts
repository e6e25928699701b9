import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import type {
  ActionItem,
  PersonReference,
  Session,
  SessionItem,
  SessionMessage,
  SourceReference,
  TurnItem,
} from '@parley/proto/assistant/v1/sessions_pb';
import { CallAssistantState } from '@parley/proto/call_control/v1/calls_pb';
import { z } from 'zod';
import { isoTime, isoTimeOf } from './value-json.ts';

const referenceSchema = z.object({ id: z.string(), name: z.string() });
const engineSchema = z.enum(['embedded', 'endpoint']);

const messageSchema = z
  .object({
    text: z.string(),
    caller_name: z.string().nullable(),
    callback_number: z.string().nullable().describe('E.164'),
    for: referenceSchema.nullable().describe('The employee or transfer target; null for nobody in particular'),
    callback_requested: z.boolean(),
    wanted: z.string().nullable().describe('When to be called back, in the caller’s words'),
    taken_at: z.string(),
  })
  .meta({ id: 'AssistantMessage' });

export const assistantSessionSchema = z
  .object({
    id: z.string(),
    call_id: z.string(),
    assistant: referenceSchema,
    engine: engineSchema.describe('What decides the next sentence: built in, or a language model'),
    model: z.string().nullable(),
    language: z.string(),
    state: z.enum(['talking', 'transferring', 'ended']),
    outcome: z
      .string()
      .nullable()
      .describe(
        '`transferred`, `taken_over`, `resolved`, `message_taken`, `callback_requested`, `abandoned`, `failed` or `fallback`',
      ),
    fallback_reason: z.string().nullable(),
    started_at: z.string(),
    ended_at: z.string().nullable(),
    caller: z.object({ name: z.string().nullable(), contact_id: z.string().nullable() }),
    message: messageSchema.nullable(),
    summary: z.string().nullable().describe('Null until the session has ended'),
    usage: z.object({
      turns: z.int(),
      seconds: z.int(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      cost: z.string().nullable().describe('A decimal number; null without prices'),
    }),
  })
  .meta({ id: 'AssistantSession' });

export const sourceSchema = z
  .object({
    type: z.string().describe('`knowledge_entry`, `business_hours`, `company` or `model`'),
    id: z.string().nullable(),
  })
  .meta({ id: 'AssistantSource' });

const sequence = z.int().describe('From 1 without gaps');
const times = { started_at: z.string(), ended_at: z.string().nullable().describe('Null while it goes on') };

const callerTurnSchema = z.object({
  sequence,
  type: z.literal('turn'),
  speaker: z.literal('caller'),
  text: z.string().nullable().describe('Null when it is not kept'),
  ...times,
});

const assistantTurnSchema = z.object({
  sequence,
  type: z.literal('turn'),
  speaker: z.literal('assistant'),
  text: z.string().nullable().describe('Null when it is not kept'),
  spoken: z.string().nullable().describe('What of it was heard'),
  interrupted: z.boolean(),
  engine: engineSchema,
  sources: z.array(sourceSchema),
  response_ms: z
    .int()
    .nullable()
    .describe('From the end of the caller’s speech to the first audio; null for what nobody asked for'),
  ...times,
});

const actionSchema = z.object({
  sequence,
  type: z.literal('action'),
  action: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  target: referenceSchema.nullable(),
  result: z.string().nullable().describe('Null while it goes on'),
  ...times,
});

const keySchema = z.object({ sequence, type: z.literal('key'), key: z.string(), at: z.string() });
const eventSchema = z.object({
  sequence,
  type: z.literal('event'),
  event: z.string(),
  detail: z.string().nullable(),
  at: z.string(),
});

/** Something that was said or done in a session, as partners see it. */
export const assistantSessionItemSchema = z
  .union([callerTurnSchema, assistantTurnSchema, actionSchema, keySchema, eventSchema])
  .meta({ id: 'AssistantSessionItem' });

type SessionJson = z.output<typeof assistantSessionSchema>;
type ItemJson = z.output<typeof assistantSessionItemSchema>;

export function assistantSessionJson(session: Session): SessionJson {
  const { usage } = session;
  return {
    id: session.id,
    call_id: session.callId,
    assistant: referenceJson(session.assistant) ?? { id: '', name: '' },
    engine: assistantEngineJson(session.engine),
    model: session.model ?? null,
    language: session.language,
    state: stateJson(session.state),
    outcome: session.outcome ?? null,
    fallback_reason: session.fallbackReason ?? null,
    started_at: isoTimeOf(session.startedAt),
    ended_at: isoTime(session.endedAt),
    caller: { name: session.callerName ?? null, contact_id: session.callerContactId ?? null },
    message: session.message ? messageJson(session.message) : null,
    summary: session.summary ?? null,
    usage: {
      turns: usage?.turns ?? 0,
      seconds: usage?.seconds ?? 0,
      input_tokens: Number(usage?.inputTokens ?? 0),
      output_tokens: Number(usage?.outputTokens ?? 0),
      cost: usage?.cost ?? null,
    },
  };
}

export function assistantSessionItemJson({ sequence, item }: SessionItem): ItemJson {
  switch (item.case) {
    case 'turn':
      return turnJson(sequence, item.value);
    case 'action':
      return actionJson(sequence, item.value);
    case 'key':
      return { sequence, type: 'key', key: item.value.key, at: isoTimeOf(item.value.at) };
    case 'event': {
      const { event, detail = null, at } = item.value;
      return { sequence, type: 'event', event, detail, at: isoTimeOf(at) };
    }
    case undefined:
      throw new Error('an item of a session without its content');
  }
}

export function assistantEngineJson(engine: AssistantEngine): z.output<typeof engineSchema> {
  return engine === AssistantEngine.ENDPOINT ? 'endpoint' : 'embedded';
}

export function sourceJson({ type, id }: SourceReference): z.output<typeof sourceSchema> {
  return { type, id: id ?? null };
}

function turnJson(sequence: number, turn: TurnItem): ItemJson {
  const { text, spoken, interrupted, engine, sources, responseMs, startedAt, endedAt } = turn;
  const common = { sequence, type: 'turn', text: text ?? null } as const;
  const between = { started_at: isoTimeOf(startedAt), ended_at: isoTime(endedAt) };
  if (!turn.byAssistant) return { ...common, speaker: 'caller', ...between };
  return {
    ...common,
    speaker: 'assistant',
    spoken: spoken ?? null,
    interrupted,
    engine: assistantEngineJson(engine),
    sources: sources.map(sourceJson),
    response_ms: responseMs ?? null,
    ...between,
  };
}

function actionJson(sequence: number, item: ActionItem): ItemJson {
  return {
    sequence,
    type: 'action',
    action: item.action,
    arguments: argumentsJson(item.argumentsJson),
    target: referenceJson(item.target),
    result: item.result ?? null,
    started_at: isoTimeOf(item.startedAt),
    ended_at: isoTime(item.endedAt),
  };
}

export function argumentsJson(text: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text === '' ? '{}' : text));
}

function messageJson(message: SessionMessage): z.output<typeof messageSchema> {
  return {
    text: message.text,
    caller_name: message.callerName ?? null,
    callback_number: message.callbackNumber ?? null,
    for: referenceJson(message.for),
    callback_requested: message.callbackRequested,
    wanted: message.wanted ?? null,
    taken_at: isoTimeOf(message.takenAt),
  };
}

function referenceJson(reference: PersonReference | undefined): z.output<typeof referenceSchema> | null {
  return reference ? { id: reference.id, name: reference.name } : null;
}

function stateJson(state: CallAssistantState): SessionJson['state'] {
  if (state === CallAssistantState.TRANSFERRING) return 'transferring';
  return state === CallAssistantState.LEFT ? 'ended' : 'talking';
}
