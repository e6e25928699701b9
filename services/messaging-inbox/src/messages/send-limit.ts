import type { RollingLimits } from '@parley/mongo';
import type { Clock } from '@parley/clock';

/** Per business number, sends and retries together; automation has as much again. */
const SENDS = { max: 30, windowMs: 60_000 };

/** How many texts employees may send. */
export interface SendLimit {
  /** Counts a send or retry, once for each key; false when the limit of the business number is reached. */
  take(businessNumberId: string, key: string): Promise<boolean>;
  /**
   * The request that was counted is a repetition of one that was made at `firstAt`. Within the window both count as one anyway;
   * of an older one, it is not counted any more.
   */
  withdrawRepetition(businessNumberId: string, key: string, firstAt: Date): Promise<void>;
}

export function sendLimit(limits: Pick<RollingLimits, 'take' | 'withdraw'>, clock: Clock): SendLimit {
  return {
    take: async (businessNumberId, key) => (await limits.take(businessNumberId, SENDS, key)).taken,
    async withdrawRepetition(businessNumberId, key, firstAt) {
      if (clock.now().getTime() - firstAt.getTime() >= SENDS.windowMs)
        await limits.withdraw({ taken: true, key: businessNumberId, mark: key });
    },
  };
}
