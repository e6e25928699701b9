import { decided, dueIn } from '@parley/errors';
import type { Keyword } from '../opt-outs/keyword.ts';
import type {
  InboundMessage,
  Message,
  MessageCommand,
  MessageDecision,
  MessageEvent,
  MessageTimer,
  ReplyCommand,
} from './message.ts';

/** Stores a text that the provider received, with what is to follow from it. */
export function receiveMessage(
  fields: Omit<InboundMessage, 'direction' | 'status'>,
  reply: ReplyCommand | null,
): MessageDecision<InboundMessage> {
  const message: InboundMessage = { ...fields, direction: 'inbound', status: 'received' };
  return decided<InboundMessage, MessageEvent, MessageCommand, MessageTimer>(
    message,
    [{ type: 'messaging-inbox.message.received', message }],
    {
      commands: [{ kind: 'show', stored: true }, ...(reply ? [reply] : [])],
    },
  );
}

/** Tries the confirmation of a keyword again after `waitMs`. */
export function postponeAnswer(message: Message, keyword: Keyword, waitMs: number, now: Date): MessageDecision {
  return decided<Message, MessageEvent, MessageCommand, MessageTimer>(message, [], {
    timers: { [`answer_${keyword}`]: dueIn(now, waitMs) },
  });
}

export function resumeAnswer(message: Message, keyword: Keyword): MessageDecision {
  return decided<Message, MessageEvent, MessageCommand, MessageTimer>(message, [], {
    commands: [{ kind: 'answer_keyword', keyword }],
  });
}
