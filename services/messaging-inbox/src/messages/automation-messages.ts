import type { Clock } from '@parley/clock';
import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { Encryptor } from '@parley/secrets';
import type { RollingLimit } from '@parley/store';
import type { TextingNumber } from '../numbers/numbers-client.ts';
import { textContext } from './message.ts';
import type { Messages } from './message-store.ts';
import { createOutboundMessage, keyConflict } from './outbound-message.ts';
import { encodingOf } from './sms-encoding.ts';

/** Automatic texts. */
export interface AutomationMessages {
  /**
   * Sends a text, once for each reason, within its own limit: a flood of incoming texts
   * must not use up what employees may send.
   */
  send(number: TextingNumber, to: string, text: string, reason: string): Promise<void>;
}

export function automationMessages(deps: {
  messages: Messages;
  encryptor: Encryptor;
  limit: RollingLimit;
  clock: Clock;
  tick: () => number;
}): AutomationMessages {
  const { messages, encryptor, limit, clock, tick } = deps;
  return {
    async send(number, to, text, reason) {
      const key = `automation:${reason}`;
      if (!(await limit.take(number.id, key))) return;
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
        key,
        clock.now(),
      );
      try {
        await messages.of(number.companyId).create(decision);
      } catch (error) {
        if (!(error instanceof Refused && error.refusal === keyConflict)) throw error;
      }
    },
  };
}
