import type { Clock } from '@parley/clock';
import type { Directory } from '../directory/directory-client.ts';
import type { AutomationMessages } from '../messages/automation-messages.ts';
import type { InboundMessage } from '../messages/message.ts';
import type { Numbers } from '../numbers/numbers-client.ts';
import { pairId } from '../texting/number-pair.ts';
import { confirmationText } from '../opt-outs/confirmation-text.ts';
import type { Keyword } from '../opt-outs/keyword.ts';
import { applyKeyword, needsConfirmation, type ReceivedKeyword } from '../opt-outs/opt-out.ts';
import type { OptOuts } from '../opt-outs/opt-out-store.ts';

/** What an incoming keyword does. Both steps may be repeated. */
export interface KeywordAnswers {
  /** Stores the person's choice. */
  store(message: InboundMessage, keyword: Keyword): Promise<void>;
  /** Stores it and confirms it with one text, if the number can send. */
  answer(message: InboundMessage, keyword: Keyword): Promise<void>;
}

export function keywordAnswers(deps: {
  optOuts: OptOuts;
  numbers: Numbers;
  directory: Directory;
  automation: AutomationMessages;
  clock: Clock;
}): KeywordAnswers {
  const { optOuts, numbers, directory, automation, clock } = deps;

  const received = ({ id, companyId, createdAtMicros }: InboundMessage, keyword: Keyword): ReceivedKeyword => ({
    keyword,
    companyId,
    messageId: id,
    messageAtMicros: createdAtMicros,
  });

  async function remember(message: InboundMessage, keyword: Keyword) {
    const id = pairId(message.businessNumberId, message.externalNumber);
    return optOuts.of(message.companyId).upsert(id, (current) => applyKeyword(current, id, received(message, keyword)));
  }

  return {
    async store(message, keyword) {
      await remember(message, keyword);
    },
    async answer(message, keyword) {
      const optOut = await remember(message, keyword);
      if (!needsConfirmation(optOut ?? undefined, received(message, keyword))) return;
      const { companyId, businessNumberId, externalNumber } = message;
      const [number, company] = await Promise.all([
        numbers.ofCompany(companyId, businessNumberId, clock.now()),
        directory.company(companyId),
      ]);
      if (!number?.canSend || !company.messagingEnabled) return;
      await automation.send(
        number,
        externalNumber,
        confirmationText(keyword, number.language),
        `keyword:${message.id}`,
      );
    },
  };
}
