import type { Comment } from '@parley/proto/messaging_inbox/v1/comments_pb';
import type { InboxItem } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { z } from 'zod';
import { callAssistantJson, callAssistantSchema, callStates, directionJson, stateJson } from './call-json.ts';
import { messageJson, messageSchema } from './message-json.ts';
import { isoMicros, isoMillis } from './value-json.ts';

const commonFields = {
  id: z.string(),
  created_at: z.string(),
  business_number_id: z.string(),
  business_number_name: z.string().nullable(),
  seen_at: z.string().nullable(),
  direction: z.enum(['inbound', 'outbound']),
  from: z.string(),
  duration: z.int().nullable().describe('Seconds'),
};

const callItemSchema = z
  .object({
    ...commonFields,
    type: z.literal('call'),
    to: z.string(),
    state: z.enum(callStates),
    missed: z.boolean(),
    summary: z.string().nullable(),
    employee: z.object({ id: z.string(), name: z.string() }).nullable(),
    has_transcription: z.boolean(),
    assistant: callAssistantSchema.nullable().describe('The assistant that was to answer the call; null without one'),
  })
  .meta({ id: 'CallItem' });

const voicemailItemSchema = z
  .object({
    ...commonFields,
    type: z.literal('voicemail'),
    transcription: z.string().nullable(),
    recording_url: z.string().nullable().describe('Valid for a short time'),
    listened: z.boolean(),
    call_id: z.string().nullable(),
  })
  .meta({ id: 'VoicemailItem' });

const messageItemSchema = messageSchema.extend({ duration: z.null() }).meta({ id: 'MessageItem' });

const employeeSchema = z.object({ id: z.string(), name: z.string() });

/** An internal comment of the team. */
export const commentSchema = z
  .object({
    id: z.string(),
    type: z.literal('comment'),
    created_at: z.string().describe('With microseconds'),
    author: employeeSchema,
    text: z.string(),
    mentions: z.array(employeeSchema).describe('Employees that the text mentions'),
  })
  .meta({ id: 'CommentItem' });

/** An item of a thread; clients ignore unknown types. */
export const itemSchema = z
  .discriminatedUnion('type', [callItemSchema, voicemailItemSchema, messageItemSchema, commentSchema])
  .meta({ id: 'InboxItem' });

/** `recordingUrl`: where the audio of a voicemail is; null while it is processed. */
export function itemJson(
  item: InboxItem,
  recordingUrl: (voicemailId: string) => string | null,
): z.output<typeof itemSchema> {
  const common = {
    id: item.id,
    created_at: isoMillis(item.createdAtMicros),
    business_number_id: item.businessNumberId,
    business_number_name: item.businessNumberName ?? null,
    seen_at: item.seenAtMicros === undefined ? null : isoMillis(item.seenAtMicros),
    direction: directionJson(item.direction),
    from: item.from,
    duration: item.durationSecs ?? null,
  };
  const { content } = item;
  switch (content.case) {
    case 'call': {
      const { state, missed, summary, employee, hasTranscription, assistant } = content.value;
      return {
        ...common,
        type: 'call',
        to: item.to,
        state: stateJson(state),
        missed,
        summary: summary ?? null,
        employee: employee ? { id: employee.id, name: employee.name } : null,
        has_transcription: hasTranscription,
        assistant: callAssistantJson(assistant),
      };
    }
    case 'voicemail': {
      const { transcription, listened, callId } = content.value;
      return {
        ...common,
        type: 'voicemail',
        transcription: transcription ?? null,
        recording_url: recordingUrl(item.id),
        listened,
        call_id: callId || null,
      };
    }
    case 'message':
      return { ...messageJson(content.value), duration: null };
    case 'comment':
      return commentJson(content.value);
    default:
      throw new Error('an inbox item without its content');
  }
}

export function commentJson({ id, createdAtMicros, author, text, mentions }: Comment): z.output<typeof commentSchema> {
  if (!author) throw new Error('a comment without its author');
  return {
    id,
    type: 'comment',
    created_at: isoMicros(createdAtMicros),
    author: { id: author.id, name: author.name },
    text,
    mentions: mentions.map(({ id: employeeId, name }) => ({ id: employeeId, name })),
  };
}
