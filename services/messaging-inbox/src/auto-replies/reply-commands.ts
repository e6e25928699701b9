import { decided } from '@parley/errors';
import type { SendAutoReply } from './send-auto-reply.ts';
import type { KeywordAnswers } from './answer-keyword.ts';
import { type Keyword, keywordOf } from '../opt-outs/keyword.ts';
import { postponeAnswer, resumeAnswer } from '../messages/inbound-message.ts';
import type {
  AnswerKeywordCommand,
  InboundMessage,
  Message,
  MessageDecision,
  MessageTimer,
} from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';

interface AnswerResult {
  readonly keyword: Keyword | undefined;
  readonly waitMs: number;
}

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
      async execute(
        command: AnswerKeywordCommand,
        { aggregateId, companyId }: { aggregateId: string; companyId: string },
      ): Promise<AnswerResult> {
        const message = await inbound(companyId, aggregateId);
        if (!message) return { keyword: undefined, waitMs: 0 };
        // Commands that earlier versions stored do not name the keyword.
        const keyword = (command.keyword as Keyword | undefined) ?? keywordOf(messages.textOf(message));
        return { keyword, waitMs: keyword ? await keywords.answer(message, keyword) : 0 };
      },
      settle: (
        message: Message,
        _command: AnswerKeywordCommand,
        result: AnswerResult | { readonly unknown: true },
        now: Date,
      ): MessageDecision =>
        'unknown' in result || !result.keyword || result.waitMs === 0
          ? decided(message)
          : postponeAnswer(message, result.keyword, result.waitMs, now),
    },
    auto_reply: {
      guarantee: 'until_confirmed' as const,
      async execute(_command: unknown, { aggregateId, companyId }: { aggregateId: string; companyId: string }) {
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
