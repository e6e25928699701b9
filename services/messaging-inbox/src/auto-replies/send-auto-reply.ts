import { isAllowedDestination } from '@parley/phone-numbers';
import type { InboundMessage } from '../messages/message.ts';
import { isOptedOut, pairId } from '../opt-outs/opt-out.ts';
import type { ReplyDeps } from './answer-keyword.ts';
import { autoReplyText, startCooldown } from './auto-reply.ts';

/** Replies to an incoming text if everything still calls for it; may be repeated. */
export type SendAutoReply = (message: InboundMessage) => Promise<void>;

export function autoReplies(deps: ReplyDeps): SendAutoReply {
  const { cooldowns, optOuts, numbers, directory, automation, clock } = deps;
  return async ({ id: messageId, companyId, businessNumberId, externalNumber }) => {
    const [number, company, optedOut] = await Promise.all([
      numbers.ofCompanyNow(companyId, businessNumberId),
      directory.company(companyId),
      isOptedOut(optOuts, { companyId, id: businessNumberId }, externalNumber),
    ]);
    const text = number && autoReplyText(number, company.messagingEnabled);
    if (!text || !number.autoReply || optedOut || !isAllowedDestination(externalNumber, company)) return;
    const { cooldownMinutes } = number.autoReply;
    const id = pairId(businessNumberId, externalNumber);
    const cooldown = await cooldowns
      .of(companyId)
      .upsert(id, (current) => startCooldown(current, { id, companyId, messageId }, cooldownMinutes, clock.now()));
    if (cooldown.messageId !== messageId) return;
    // Beyond the limit it gets none: later it would not be a reply any more.
    await automation.send(number, externalNumber, text, `auto_reply:${messageId}`);
  };
}
