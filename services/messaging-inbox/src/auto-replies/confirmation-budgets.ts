import type { Limit, RollingLimits } from '@parley/mongo';
import { limitWaitMs } from '../texting/limit-wait.ts';
import { pairId } from '../texting/number-pair.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Opt-outs that a business number confirms in any minute. Nothing else uses this budget up. */
const STOPS_PER_NUMBER: Limit = { max: 30, windowMs: MINUTE_MS };
/** Opt-outs of one person that a number confirms in any hour: STOP and START in turn would otherwise be answered without end. */
const STOPS_PER_PAIR: Limit = { max: 5, windowMs: HOUR_MS };

/** A text that is about to be sent automatically, because of an incoming one. */
export interface AutomaticText {
  readonly businessNumberId: string;
  readonly externalNumber: string;
  /** The incoming text; it is counted once. */
  readonly messageId: string;
}

/** The wait of a STOP confirmation for its budget; 0 when it may be sent. */
export async function stopConfirmationWaitMs(
  limits: RollingLimits,
  { businessNumberId, externalNumber, messageId }: AutomaticText,
): Promise<number> {
  const ofPair = await limits.take(pairId(businessNumberId, externalNumber), STOPS_PER_PAIR, messageId);
  if (!ofPair.taken) return limitWaitMs(ofPair);
  return limitWaitMs(await limits.take(businessNumberId, STOPS_PER_NUMBER, messageId));
}
