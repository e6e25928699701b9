import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { messageJson } from '@parley/public-json';
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
  return text === undefined ? null : { message: messageJson({ ...message, text }) };
}
