import type { CommandContext } from '@parley/aggregates';
import { decided } from '@parley/errors';
import type { SendAutoReply } from './send-auto-reply.ts';
import type { KeywordAnswers } from './answer-keyword.ts';
import { postponeAnswer, resumeAnswer } from '../messages/inbound-message.ts';
import type {
  AnswerKeywordCommand,
  InboundMessage,
  Message,
  MessageDecision,
  MessageTimer,
} from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';

/** The commands of incoming texts. They are repeated until they succeed; each step recognises a repetition. */
export function replyCommands(deps: { messages: Messages; keywords: KeywordAnswers; sendAutoReply: SendAutoReply }) {
  const { messages, keywords, sendAutoReply } = deps;
  const inbound = async (companyId: string, id: string): Promise<InboundMessage | undefined> => {
    const message = await messages.of(companyId).get(id);
    return message?.direction === 'inbound' ? message : undefined;
  };
  return {
    answer_keyword: {
      guarantee: 'until_confirmed' as const,
      /** Returns how long the confirmation has to wait. */
      async execute({ keyword }: AnswerKeywordCommand, { aggregateId, companyId }: CommandContext): Promise<number> {
        const message = await inbound(companyId, aggregateId);
        return message ? keywords.answer(message, keyword) : 0;
      },
      settle: (
        message: Message,
        { keyword }: AnswerKeywordCommand,
        waitMs: number | { readonly unknown: true },
        now: Date,
      ): MessageDecision =>
        typeof waitMs === 'number' && waitMs > 0 ? postponeAnswer(message, keyword, waitMs, now) : decided(message),
    },
    auto_reply: {
      guarantee: 'until_confirmed' as const,
      async execute(_command: unknown, { aggregateId, companyId }: CommandContext) {
        const message = await inbound(companyId, aggregateId);
        if (message) await sendAutoReply(message);
      },
    },
  };
}

/** Confirmations that had to wait. */
export const replyTimers: Readonly<Record<MessageTimer, (message: Message) => MessageDecision>> = {
  answer_stop: (message) => resumeAnswer(message, 'stop'),
  answer_start: (message) => resumeAnswer(message, 'start'),
  answer_help: (message) => resumeAnswer(message, 'help'),
};
