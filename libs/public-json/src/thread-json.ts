import {
  type InboxItemReference,
  InboxItemType,
  type InboxThread,
  ThreadState,
} from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { z } from 'zod';
import { assistantOutcomeJson, assistantOutcomes, directionJson } from './call-json.ts';
import { contactJson, contactSchema } from './contact-json.ts';
import { enumJson, isoMicros, isoMillis } from './value-json.ts';
import { messageStatusJson, messageStatuses } from './message-json.ts';

const itemTypes = ['call', 'voicemail', 'message'] as const;

const itemReferenceSchema = z
  .object({
    id: z.string(),
    type: z.enum(itemTypes),
    business_number_id: z.string(),
    direction: z.enum(['inbound', 'outbound']),
    format: z.literal('sms').optional().describe('Of a message'),
    status: z.enum(messageStatuses).optional().describe('Of a message'),
    missed: z.boolean().optional().describe('Of a call'),
    assistant_outcome: z.enum(assistantOutcomes).optional().describe('Of a call that an assistant has left'),
  })
  .meta({ id: 'InboxItemReference' });

export const threadStates = ['open', 'done'] as const;

/** A thread as partners see it. */
export const threadSchema = z
  .object({
    phone_number: z.string().describe('E.164'),
    contact: contactSchema.nullable(),
    last_activity_at: z.string(),
    unseen_count: z.int(),
    business_number_ids: z.array(z.string()),
    reply_business_number_id: z
      .string()
      .nullable()
      .describe('The business number of the latest item, if it can send texts; always choose the sender explicitly'),
    assignee: z.object({ id: z.string(), name: z.string() }).nullable().describe('Who deals with it'),
    state: z.enum(threadStates).describe('A new item opens a thread that is done'),
    preview: z.string().describe('At most 160 characters'),
    latest_item: itemReferenceSchema,
  })
  .meta({ id: 'InboxThread' });

const itemTypeJson = enumJson(InboxItemType, itemTypes, 'call');

export function threadJson(thread: InboxThread): z.output<typeof threadSchema> {
  if (!thread.latestItem) throw new Error('a thread without its latest item');
  return {
    phone_number: thread.phoneNumber,
    contact: thread.contact ? contactJson(thread.contact) : null,
    // The precision is that of the latest item's own time.
    last_activity_at: (thread.latestItem.type === InboxItemType.MESSAGE ? isoMicros : isoMillis)(
      thread.lastActivityAtMicros,
    ),
    unseen_count: thread.unseenCount,
    business_number_ids: thread.businessNumberIds,
    reply_business_number_id: thread.replyBusinessNumberId ?? null,
    assignee: thread.assignee ? { id: thread.assignee.id, name: thread.assignee.name } : null,
    state: threadStateJson(thread.state),
    preview: thread.preview,
    latest_item: itemReferenceJson(thread.latestItem),
  };
}

export function threadStateJson(state: ThreadState): (typeof threadStates)[number] {
  return state === ThreadState.DONE ? 'done' : 'open';
}

function itemReferenceJson(item: InboxItemReference): z.output<typeof itemReferenceSchema> {
  const assistantOutcome = assistantOutcomeJson(item.assistantOutcome);
  return {
    id: item.id,
    type: itemTypeJson(item.type),
    business_number_id: item.businessNumberId,
    direction: directionJson(item.direction),
    ...(item.status !== undefined && { format: 'sms' as const, status: messageStatusJson(item.status) }),
    ...(item.missed !== undefined && { missed: item.missed }),
    ...(assistantOutcome && { assistant_outcome: assistantOutcome }),
  };
}
