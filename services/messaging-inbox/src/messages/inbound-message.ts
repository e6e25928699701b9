import { decided } from '@parley/errors';
import type { InboundMessage, MessageCommand, MessageDecision, MessageEvent, ReplyCommand } from './message.ts';

/** Stores a text that the provider received, with what is to follow from it. */
export function receiveMessage(
  fields: Omit<InboundMessage, 'direction' | 'status'>,
  reply: ReplyCommand['kind'] | null,
): MessageDecision<InboundMessage> {
  const message: InboundMessage = { ...fields, direction: 'inbound', status: 'received' };
  return decided<InboundMessage, MessageEvent, MessageCommand>(
    message,
    [{ type: 'messaging-inbox.message.received', message }],
    {
      commands: reply ? [{ kind: reply }] : [],
    },
  );
}
