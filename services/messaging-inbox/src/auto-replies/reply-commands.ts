import type { SendAutoReply } from './send-auto-reply.ts';
import type { KeywordAnswers } from './answer-keyword.ts';
import { keywordOf } from '../opt-outs/keyword.ts';
import type { InboundMessage } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';

/** What follows from incoming texts. It is repeated until it has succeeded; each step recognises a repetition. */
export function replyCommands(deps: { messages: Messages; keywords: KeywordAnswers; sendAutoReply: SendAutoReply }) {
  const { messages, keywords, sendAutoReply } = deps;
  const withMessage =
    (work: (message: InboundMessage) => Promise<void>) =>
    async (_command: unknown, { aggregateId, companyId }: { aggregateId: string; companyId: string }) => {
      const message = await messages.of(companyId).get(aggregateId);
      if (message?.direction === 'inbound') await work(message);
    };
  return {
    answer_keyword: {
      guarantee: 'until_confirmed' as const,
      execute: withMessage(async (message) => {
        const keyword = keywordOf(messages.textOf(message));
        if (keyword) await keywords.answer(message, keyword);
      }),
    },
    auto_reply: { guarantee: 'until_confirmed' as const, execute: withMessage(sendAutoReply) },
  };
}
