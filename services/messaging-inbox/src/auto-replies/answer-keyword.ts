import type { Clock } from '@parley/clock';
import type { Documents } from '@parley/aggregates';
import type { RollingLimits } from '@parley/mongo';
import { isAllowedDestination } from '@parley/phone-numbers';
import type { Directory } from '../directory/directory-client.ts';
import type { AutomationMessages } from '../messages/automation-messages.ts';
import type { InboundMessage } from '../messages/message.ts';
import type { Numbers } from '../numbers/numbers-client.ts';
import { pairId } from '../texting/number-pair.ts';
import { confirmationText } from '../opt-outs/confirmation-text.ts';
import type { Keyword } from '../opt-outs/keyword.ts';
import { applyKeyword, needsConfirmation, type ReceivedKeyword } from '../opt-outs/opt-out.ts';
import type { OptOuts } from '../opt-outs/opt-out-store.ts';
import { type AutoReplyCooldown, startCooldown } from './auto-reply.ts';
import { stopConfirmationWaitMs } from './confirmation-budgets.ts';

/** The effects of an incoming keyword. Both steps may be repeated. */
export interface KeywordAnswers {
  /** Stores the person's choice. */
  store(message: InboundMessage, keyword: Keyword): Promise<void>;
  /**
   * Stores it and confirms it with one text, if the number can send one to the person. Returns how long the confirmation has to wait
   * for a place in its budget, after which it is tried again; 0 when nothing is left to do.
   */
  answer(message: InboundMessage, keyword: Keyword): Promise<number>;
}

/** HELP and START are answered once in this time to each person: an answer is charged, and says the same again. */
const COOLDOWN_MINUTES = 60;

export function keywordAnswers(deps: {
  optOuts: OptOuts;
  cooldowns: Documents<AutoReplyCooldown>;
  stopLimits: RollingLimits;
  numbers: Numbers;
  directory: Directory;
  automation: AutomationMessages;
  clock: Clock;
}): KeywordAnswers {
  const { optOuts, cooldowns, stopLimits, numbers, directory, automation, clock } = deps;

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

  /** True when the only reply within the cooldown is the one to this text. */
  async function hasCooldown(
    { id: messageId, companyId, businessNumberId, externalNumber }: InboundMessage,
    keyword: Keyword,
  ) {
    const id = `${pairId(businessNumberId, externalNumber)}:${keyword}`;
    const cooldown = await cooldowns
      .of(companyId)
      .upsert(id, (current) => startCooldown(current, { id, companyId, messageId }, COOLDOWN_MINUTES, clock.now()));
    return cooldown.messageId === messageId;
  }

  return {
    async store(message, keyword) {
      await remember(message, keyword);
    },
    async answer(message, keyword) {
      const optOut = await remember(message, keyword);
      if (!needsConfirmation(optOut ?? undefined, received(message, keyword))) return 0;
      const { id: messageId, companyId, businessNumberId, externalNumber } = message;
      const [number, company] = await Promise.all([
        numbers.ofCompany(companyId, businessNumberId),
        directory.company(companyId),
      ]);
      if (!number?.canSend || !company.messagingEnabled || !isAllowedDestination(externalNumber, company)) return 0;
      if (keyword !== 'stop' && !(await hasCooldown(message, keyword))) return 0;
      const text = confirmationText(keyword, number.language);
      const reason = `keyword:${messageId}`;
      if (keyword !== 'stop') return automation.send(number, externalNumber, text, reason);
      const waitMs = await stopConfirmationWaitMs(stopLimits, { businessNumberId, externalNumber, messageId });
      if (waitMs === 0) await automation.sendUnlimited(number, externalNumber, text, reason);
      return waitMs;
    },
  };
}
