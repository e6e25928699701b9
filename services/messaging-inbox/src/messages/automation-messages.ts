import type { Clock } from '@parley/clock';
import { Refused } from '@parley/errors';
import { newId, type Encryptor } from '@parley/secrets';
import type { RollingLimits } from '@parley/mongo';
import type { SendingNumber } from '../numbers/numbers-client.ts';
import { limitWaitMs } from '../texting/limit-wait.ts';
import { textContext } from './message.ts';
import type { Messages } from './message-store.ts';
import { createOutboundMessage, keyConflict } from './outbound-message.ts';
import { encodingOf } from './sms-encoding.ts';

/** Automatic texts; each is sent once for each reason. */
export interface AutomationMessages {
  /**
   * Sends a text within the limit of automation: a flood of incoming texts must not use up what employees may send.
   * Returns how long there is no place for it; 0 when it is sent.
   */
  send(number: SendingNumber, to: string, text: string, reason: string): Promise<number>;
  /** Sends a text that has a budget of its own. */
  sendUnlimited(number: SendingNumber, to: string, text: string, reason: string): Promise<void>;
}

/** Per business number. */
const AUTOMATIC_TEXTS = { max: 30, windowMs: 60_000 };

export function automationMessages(deps: {
  messages: Messages;
  encryptor: Encryptor;
  limits: RollingLimits;
  clock: Clock;
  tick: () => number;
}): AutomationMessages {
  const { messages, encryptor, limits, clock, tick } = deps;
  const keyOf = (reason: string) => `automation:${reason}`;

  async function store(number: SendingNumber, to: string, text: string, reason: string): Promise<void> {
    const id = newId('msg');
    const decision = createOutboundMessage(
      {
        id,
        companyId: number.companyId,
        businessNumberId: number.id,
        businessNumberName: number.name,
        from: number.number,
        to,
        externalNumber: to,
        encryptedText: encryptor.encrypt(text, textContext(id)),
        createdAtMicros: tick(),
        encoding: encodingOf(text),
        author: { type: 'automation' },
      },
      keyOf(reason),
      clock.now(),
    );
    try {
      await messages.of(number.companyId).create(decision);
    } catch (error) {
      if (!(error instanceof Refused && error.refusal === keyConflict)) throw error;
    }
  }

  return {
    async send(number, to, text, reason) {
      const outcome = await limits.take(number.id, AUTOMATIC_TEXTS, keyOf(reason));
      if (outcome.taken) await store(number, to, text, reason);
      return limitWaitMs(outcome);
    },
    sendUnlimited: store,
  };
}
