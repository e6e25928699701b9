import { type Decision, decided } from '@parley/errors';
import type { TextingNumber } from '../numbers/numbers-client.ts';

/** When a business number last sent an automatic reply to a phone number. */
export interface AutoReplyCooldown {
  /** `pairId` of the two numbers. */
  readonly id: string;
  readonly companyId: string;
  readonly repliedAt: Date;
  /** The text that was replied to. */
  readonly messageId: string;
}

/** Clocks of replicas differ by milliseconds; a reply further ahead was made before the clock was put back. */
const AHEAD_MAX_MS = 5000;

/** The reply that a text gets now; null when it gets none. */
export function autoReplyText(number: TextingNumber, companyMessagingEnabled: boolean): string | null {
  if (!number.autoReply || !number.canSend || !companyMessagingEnabled || number.withinBusinessHours) return null;
  return number.autoReply.text;
}

/**
 * Claims the pair's reply for `messageId` unless there was a reply within the cooldown. A repetition for the same
 * text, after a crash, still has it. The cooldown also ends loops: two numbers that reply to each other do so once.
 */
export function startCooldown(
  current: AutoReplyCooldown | undefined,
  reply: Pick<AutoReplyCooldown, 'id' | 'companyId' | 'messageId'>,
  cooldownMinutes: number,
  now: Date,
): Decision<AutoReplyCooldown> {
  if (current?.messageId === reply.messageId) return decided(current);
  if (current && isWithin(current.repliedAt, cooldownMinutes, now)) return decided(current);
  return decided({ ...reply, repliedAt: now });
}

function isWithin(repliedAt: Date, cooldownMinutes: number, now: Date): boolean {
  const sinceMs = now.getTime() - repliedAt.getTime();
  return sinceMs < cooldownMinutes * 60_000 && sinceMs >= -AHEAD_MAX_MS;
}
