import type { Documents } from '@parley/aggregates';
import type { Limit, RollingLimits } from '@parley/mongo';
import { isAllowedDestination } from '@parley/phone-numbers';
import { type AutomationMessages, limitWaitMs } from '../messages/automation-messages.ts';
import type { InboundMessage } from '../messages/message.ts';
import type { ServiceContext } from '../service-context.ts';
import { confirmationText } from '../opt-outs/confirmation-text.ts';
import type { Keyword } from '../opt-outs/keyword.ts';
import { applyKeyword, needsConfirmation, type OptOuts, pairId, type ReceivedKeyword } from '../opt-outs/opt-out.ts';
import { type AutoReplyCooldown, startCooldown } from './auto-reply.ts';

export type KeywordAnswers = ReturnType<typeof keywordAnswers>;

/** HELP and START are answered once in this time to each person: an answer is charged, and says the same again. */
const COOLDOWN_MINUTES = 60;
/** Opt-outs that a business number confirms in any minute. Nothing else uses this budget up. */
const STOPS_PER_NUMBER: Limit = { max: 30, windowMs: 60_000 };
/** Opt-outs of one person that a number confirms in any hour: STOP and START in turn would otherwise be answered without end. */
const STOPS_PER_PAIR: Limit = { max: 5, windowMs: 60 * 60_000 };

export interface ReplyDeps extends Pick<ServiceContext, 'numbers' | 'directory' | 'clock'> {
  readonly optOuts: OptOuts;
  readonly cooldowns: Documents<AutoReplyCooldown>;
  readonly automation: AutomationMessages;
}

/** The effects of an incoming keyword. Both steps may be repeated. */
export function keywordAnswers(deps: ReplyDeps & { readonly stopLimits: RollingLimits }) {
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

  /** The wait of a STOP confirmation for its budget; 0 when it may be sent. */
  async function stopWaitMs({ id: messageId, businessNumberId, externalNumber }: InboundMessage): Promise<number> {
    const ofPair = await stopLimits.take(pairId(businessNumberId, externalNumber), STOPS_PER_PAIR, messageId);
    if (!ofPair.taken) return limitWaitMs(ofPair);
    return limitWaitMs(await stopLimits.take(businessNumberId, STOPS_PER_NUMBER, messageId));
  }

  return {
    /** Stores the person's choice. */
    async store(message: InboundMessage, keyword: Keyword): Promise<void> {
      await remember(message, keyword);
    },
    /**
     * Stores it and confirms it with one text, if the number can send one to the person. Returns how long the confirmation has to wait
     * for a place in its budget, after which it is tried again; 0 when nothing is left to do.
     */
    async answer(message: InboundMessage, keyword: Keyword): Promise<number> {
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
      const waitMs = await stopWaitMs(message);
      if (waitMs === 0) await automation.sendUnlimited(number, externalNumber, text, reason);
      return waitMs;
    },
  };
}
