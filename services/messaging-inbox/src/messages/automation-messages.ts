import { Refused } from '@parley/errors';
import type { LimitOutcome, RollingLimits } from '@parley/mongo';
import type { SendingNumber } from '../numbers/numbers-client.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Messages } from './message-store.ts';
import { keyConflict, newOutboundText } from './outbound-message.ts';

export type AutomationMessages = ReturnType<typeof automationMessages>;

/** Per business number. */
const AUTOMATIC_TEXTS = { max: 30, windowMs: 60_000 };

/** The place becomes free at an instant of another replica's clock. */
const WAIT_MIN_MS = 1000;

/** The wait until the limit allows another; 0 when it was counted. */
export function limitWaitMs(outcome: LimitOutcome): number {
  return outcome.taken ? 0 : Math.max(outcome.retryAfterMs, WAIT_MIN_MS);
}

/** Automatic texts; each is sent once for each reason. */
export function automationMessages(
  deps: Pick<ServiceContext, 'encryptor' | 'clock' | 'tick'> & { messages: Messages; limits: RollingLimits },
) {
  const { messages, limits } = deps;
  const keyOf = (reason: string) => `automation:${reason}`;

  /** `name`: of the author, other than that of automatic replies. */
  async function store(number: SendingNumber, to: string, text: string, reason: string, name?: string): Promise<void> {
    const decision = newOutboundText(deps, number, {
      to,
      text,
      author: { type: 'automation', ...(name !== undefined && { name }) },
      key: keyOf(reason),
    });
    try {
      await messages.of(number.companyId).create(decision);
    } catch (error) {
      if (!(error instanceof Refused && error.refusal === keyConflict)) throw error;
    }
  }

  return {
    /**
     * Sends a text within the limit of automation: a flood of incoming texts must not use up what employees may send.
     * Returns how long there is no place for it; 0 when it is sent.
     */
    async send(number: SendingNumber, to: string, text: string, reason: string): Promise<number> {
      const outcome = await limits.take(number.id, AUTOMATIC_TEXTS, keyOf(reason));
      if (outcome.taken) await store(number, to, text, reason);
      return limitWaitMs(outcome);
    },
    /** Sends a text that has a budget of its own. */
    sendUnlimited: store,
    /** The text of a reason; undefined when none was sent for it. */
    sentFor: (number: SendingNumber, reason: string) => messages.byKey(number.companyId, number.id, keyOf(reason)),
  };
}
