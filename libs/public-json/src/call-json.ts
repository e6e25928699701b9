import {
  type Call,
  type CallAssistant,
  CallAssistantState,
  type Callback,
  CallbackState,
  CallDirection,
  type CallParticipant,
  CallState,
  type TranscriptionSegment,
} from '@parley/proto/call_control/v1/calls_pb';
import { z } from 'zod';
import { enumJson, isoTime, isoTimeOf } from './value-json.ts';

export const participantSchema = z.object({ id: z.string(), name: z.string() }).meta({ id: 'CallParticipant' });

export const callStates = [
  'initiated',
  'queued',
  'answered',
  'playing_audio',
  'transferring',
  'recording',
  'bridged',
  'ended',
] as const;

const callbackStates = ['waiting', 'calling', 'connected', 'given_up'] as const;

export const callbackSchema = z
  .object({ requested_at: z.string(), state: z.enum(callbackStates) })
  .meta({ id: 'Callback' });

const assistantStates = ['talking', 'transferring', 'left'] as const;
export const assistantOutcomes = [
  'transferred',
  'taken_over',
  'resolved',
  'message_taken',
  'callback_requested',
  'abandoned',
  'failed',
  'fallback',
] as const;

export const callAssistantSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('At the time'),
    state: z.enum(assistantStates),
    outcome: z.enum(assistantOutcomes).nullable().describe('Null until the assistant has left the call'),
    engine: z.enum(['embedded', 'endpoint']).describe('What decides its sentences'),
  })
  .meta({ id: 'CallAssistant' });

/** A call as partners see it. */
export const callSchema = z
  .object({
    id: z.string(),
    from: z.string().describe('E.164, or `anonymous`'),
    to: z.string().describe('E.164'),
    direction: z.enum(['inbound', 'outbound']),
    state: z.enum(callStates),
    started_at: z.string().nullable(),
    answered_at: z.string().nullable(),
    duration: z.int().nullable().describe('Whole seconds from answered_at; null while in progress'),
    summary: z.string().nullable(),
    transcription: z.string().nullable(),
    transcription_segments: z
      .array(z.object({ speaker: z.string(), text: z.string(), employee_id: z.string().optional() }))
      .nullable(),
    main_number_id: z.string(),
    main_number_name: z.string(),
    main_number: z.string(),
    main_number_formatted: z.string(),
    recording_url: z
      .string()
      .nullable()
      .describe('Signed for each request; null before the call ends or without a recording'),
    employees: z.array(participantSchema),
    initiated_by: participantSchema.optional().describe('Outbound calls only'),
    on_hold: z.boolean().describe('The remote side waits on hold'),
    recording_paused: z.boolean(),
    note: z.string().nullable(),
    tags: z.array(z.string()),
    queue_position: z
      .int()
      .nullable()
      .describe('From 1, among the waiting calls of the business number; null unless the call is queued'),
    waiting_secs: z.int().nullable().describe('How long the caller has waited; null unless the call is queued'),
    callback: callbackSchema.nullable().describe('The caller asked to be called back; null otherwise'),
    assistant: callAssistantSchema.nullable().describe('The assistant that was to answer the call; null without one'),
  })
  .meta({ id: 'Call' });

/** A call in events: the specification names some of its fields differently, and those beyond it are not there. */
export const callEventSchema = callSchema
  .omit({
    main_number: true,
    main_number_formatted: true,
    initiated_by: true,
    on_hold: true,
    recording_paused: true,
    note: true,
    tags: true,
    queue_position: true,
    waiting_secs: true,
    callback: true,
  })
  .extend({
    recording_url: z
      .string()
      .nullable()
      .describe('Signed, for a short time; null before the call ends or without a recording'),
    main_number_number: z.string().describe('E.164'),
    main_number_number_formatted: z.string(),
    initiated_by: participantSchema.nullable().describe('Null for inbound calls'),
    call_control_id: z.string(),
  })
  .meta({ id: 'EventCall' });

export function participantJson({ id, name }: CallParticipant): z.output<typeof participantSchema> {
  return { id, name };
}

export const stateJson = enumJson(CallState, callStates, 'initiated');
const assistantStateJson = enumJson(CallAssistantState, assistantStates, 'left');
const callbackStateJson = enumJson(CallbackState, callbackStates, 'waiting');

/** Undefined for an unknown state. */
export function stateFromJson(written: string): CallState | undefined {
  const isKnown = callStates.some((name) => name === written);
  return isKnown ? CallState[written.toUpperCase() as keyof typeof CallState] : undefined;
}

export function directionJson(direction: CallDirection): 'inbound' | 'outbound' {
  return direction === CallDirection.OUTBOUND ? 'outbound' : 'inbound';
}

export function callbackJson(callback: Callback | undefined): z.output<typeof callbackSchema> | null {
  if (!callback) return null;
  return { requested_at: isoTimeOf(callback.requestedAt), state: callbackStateJson(callback.state) };
}

export function callAssistantJson(assistant: CallAssistant | undefined): z.output<typeof callAssistantSchema> | null {
  if (!assistant) return null;
  const { id, name, state, outcome, engine } = assistant;
  return {
    id,
    name,
    state: assistantStateJson(state),
    outcome: assistantOutcomeJson(outcome) ?? null,
    engine: engine === 'endpoint' ? 'endpoint' : 'embedded',
  };
}

/** Undefined for an unknown outcome. */
export function assistantOutcomeJson(outcome: string | undefined): (typeof assistantOutcomes)[number] | undefined {
  return assistantOutcomes.find((known) => known === outcome);
}

export function callJson(call: Call): z.output<typeof callSchema> {
  return {
    ...commonJson(call),
    main_number: call.mainNumber,
    main_number_formatted: call.mainNumberFormatted,
    ...(call.initiatedBy && { initiated_by: participantJson(call.initiatedBy) }),
    on_hold: call.onHold,
    recording_paused: call.recordingPaused,
    ...notesJson(call),
    queue_position: call.queuePosition ?? null,
    waiting_secs: call.waitingSecs ?? null,
    callback: callbackJson(call.callback),
  };
}

export function notesJson({ note, tags }: Pick<Call, 'note' | 'tags'>): { note: string | null; tags: string[] } {
  return { note: note ?? null, tags };
}

export function callEventJson(call: Call): z.output<typeof callEventSchema> {
  return {
    ...commonJson(call),
    main_number_number: call.mainNumber,
    main_number_number_formatted: call.mainNumberFormatted,
    initiated_by: call.initiatedBy ? participantJson(call.initiatedBy) : null,
    call_control_id: call.callControlId,
  };
}

function commonJson(call: Call) {
  return {
    id: call.id,
    from: call.from,
    to: call.to,
    direction: directionJson(call.direction),
    state: stateJson(call.state),
    started_at: isoTime(call.startedAt),
    answered_at: isoTime(call.answeredAt),
    duration: call.durationSecs ?? null,
    summary: call.summary ?? null,
    transcription: call.transcription ?? null,
    transcription_segments: call.hasTranscription ? call.transcriptionSegments.map(segmentJson) : null,
    main_number_id: call.mainNumberId,
    main_number_name: call.mainNumberName,
    recording_url: call.recordingUrl ?? null,
    employees: call.employees.map(participantJson),
    assistant: callAssistantJson(call.assistant),
  };
}

function segmentJson({ speaker, text, employeeId }: TranscriptionSegment) {
  return { speaker, text, ...(employeeId !== undefined && { employee_id: employeeId }) };
}
