import {
  type Message,
  type MessageAuthor,
  MessageAuthorType,
  MessageDirection,
  MessageStatus,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import { z } from 'zod';
import { enumJson, isoMicros, isoMillis, isoTime } from './value-json.ts';

export const messageStatuses = ['queued', 'accepted', 'delivered', 'failed', 'unknown', 'received'] as const;

/** A text as partners see it. */
export const messageSchema = z
  .object({
    id: z.string(),
    type: z.literal('message'),
    format: z.literal('sms'),
    created_at: z.string().describe('With microseconds'),
    business_number_id: z.string(),
    business_number_name: z.string().nullable(),
    seen_at: z.string().nullable(),
    direction: z.enum(['inbound', 'outbound']),
    from: z.string().describe('E.164'),
    to: z.string().describe('E.164'),
    text: z.string(),
    author: z
      .object({
        type: z.enum(['customer', 'employee', 'automation']),
        id: z.string().optional().describe('Id of the employee, if any'),
        name: z.string().optional().describe('Name of the employee, if any; `Auto-reply` for automation'),
      })
      .meta({ id: 'MessageAuthor' }),
    status: z.enum(messageStatuses),
    sms_count: z.int().nullable().describe('Chargeable parts as the provider reports them'),
    encoding: z.enum(['gsm7', 'ucs2']).nullable(),
    received_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    failure_code: z.string().nullable(),
    can_retry: z.boolean(),
  })
  .meta({ id: 'Message' });

export const retriedMessageSchema = messageSchema
  .pick({ id: true, type: true, format: true, status: true, can_retry: true })
  .meta({ id: 'RetriedMessage' });

export const messageStatusJson = enumJson(MessageStatus, messageStatuses, 'unknown');

export function messageJson(message: Message | undefined): z.output<typeof messageSchema> {
  if (!message) throw new Error('a response without its message');
  return {
    id: message.id,
    type: 'message',
    format: 'sms',
    created_at: isoMicros(message.createdAtMicros),
    business_number_id: message.businessNumberId,
    business_number_name: message.businessNumberName ?? null,
    seen_at: message.seenAtMicros === undefined ? null : isoMillis(message.seenAtMicros),
    direction: message.direction === MessageDirection.INBOUND ? 'inbound' : 'outbound',
    from: message.from,
    to: message.to,
    text: message.text,
    author: authorJson(message.author),
    status: messageStatusJson(message.status),
    sms_count: message.smsCount ?? null,
    encoding: message.encoding === 'gsm7' || message.encoding === 'ucs2' ? message.encoding : null,
    received_at: isoTime(message.receivedAt),
    delivered_at: isoTime(message.deliveredAt),
    failure_code: message.failureCode ?? null,
    can_retry: message.canRetry,
  };
}

export function retriedMessageJson(message: Message | undefined): z.output<typeof retriedMessageSchema> {
  const { id, type, format, status, can_retry } = messageJson(message);
  return { id, type, format, status, can_retry };
}

function authorJson(author: MessageAuthor | undefined): z.output<typeof messageSchema>['author'] {
  const { id, name } = author ?? {};
  switch (author?.type) {
    case MessageAuthorType.EMPLOYEE:
      return { type: 'employee', ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
    case MessageAuthorType.AUTOMATION:
      return { type: 'automation', ...(name !== undefined && { name }) };
    default:
      return { type: 'customer' };
  }
}
