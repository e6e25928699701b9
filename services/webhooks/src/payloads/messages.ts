import {
  type Message,
  type MessageAuthor,
  MessageAuthorType,
  MessageDirection,
  MessageStatus,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import { isoMicros, isoTime } from './iso-time.ts';
import { definePayload, type Payload, type PayloadSources } from './payload.ts';

export const messagePayloads: readonly Payload[] = [
  definePayload({
    fact: 'messaging-inbox.message.received',
    event: 'message.received',
    data: messageData,
  }),
  definePayload({
    fact: 'messaging-inbox.message.status_changed',
    event: 'message.status_changed',
    data: messageData,
  }),
];

async function messageData(
  { message }: { message?: Message },
  { messageText }: PayloadSources,
): Promise<object | null> {
  if (!message) throw new Error('a message event without its message');
  const text = await messageText(message.companyId, message.id);
  return text === undefined ? null : { message: messageJson(message, text) };
}

/** The specification's full message model. */
function messageJson(message: Message, text: string): object {
  return {
    id: message.id,
    type: 'message',
    format: 'sms',
    created_at: isoMicros(message.createdAtMicros),
    business_number_id: message.businessNumberId,
    business_number_name: message.businessNumberName ?? null,
    seen_at: isoMicros(message.seenAtMicros),
    direction: MessageDirection[message.direction].toLowerCase(),
    from: message.from,
    to: message.to,
    text,
    author: authorJson(message.author),
    status: MessageStatus[message.status].toLowerCase(),
    sms_count: message.smsCount ?? null,
    encoding: message.encoding ?? null,
    received_at: isoTime(message.receivedAt),
    delivered_at: isoTime(message.deliveredAt),
    failure_code: message.failureCode ?? null,
    can_retry: message.canRetry,
  };
}

function authorJson(author: MessageAuthor | undefined): object {
  if (!author) throw new Error('a message without its author');
  return {
    type: MessageAuthorType[author.type].toLowerCase(),
    ...(author.id !== undefined && { id: author.id }),
    ...(author.name !== undefined && { name: author.name }),
  };
}
