import { withTimeout } from '@parley/clock';
import { Refused } from '@parley/errors';
import type { LiveUpdates } from '../live/live-updates.ts';
import { type CreateMessage, lastAttempt, type Message, type ShowCommand } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';
import { messageFact } from './item-facts.ts';
import type { InboxProjection } from './projection-store.ts';

/** Texts in the inbox: their command `show` brings them there, and nothing else does. */
export interface MessageProjection {
  readonly create: CreateMessage;
  /** The command of a text that was stored or has another status. */
  readonly show: {
    readonly guarantee: 'until_confirmed';
    readonly unordered: true;
    execute(command: ShowCommand, context: { aggregateId: string; companyId: string; attempt: number }): Promise<void>;
    needsSettling(): false;
  };
}

/** If this process has no place for the command, another one executes it. */
const SHOWN_WAIT_MS_MAX = 2000;

export function messageProjection(deps: {
  readonly messages: Pick<Messages, 'of'>;
  readonly projection: Pick<InboxProjection, 'apply'>;
  readonly search: { add(message: Message): Promise<void> };
  readonly live: LiveUpdates;
  /** True when messaging is enabled for the company; otherwise there are no live updates of texts. */
  readonly showsMessages: (companyId: string) => Promise<boolean>;
}): MessageProjection {
  const { messages, projection, search, live, showsMessages } = deps;
  const expected = new Map<string, () => void>();

  async function applyToInbox(message: Message, isFirst: boolean): Promise<void> {
    try {
      await projection.apply(messageFact(message), isFirst);
    } finally {
      expected.get(message.id)?.();
    }
  }

  async function announce(message: Message): Promise<void> {
    const { id, companyId, direction, externalNumber } = message;
    if (!isBeingSent(message) && !(await showsMessages(companyId))) return;
    if (direction === 'inbound') live.publish(companyId, { type: 'unseen_update' });
    live.publish(companyId, { type: 'sms_update', id, phone_number: externalNumber });
  }

  return {
    async create(decision) {
      if (!decision.ok) throw new Refused(decision.refusal);
      const message = decision.state;
      const { id, companyId } = message;
      const { promise, resolve } = Promise.withResolvers<void>();
      expected.set(id, resolve);
      try {
        await messages.of(companyId).create(decision);
      } catch (error) {
        expected.delete(id);
        throw error;
      }
      return { message, shown: withTimeout(SHOWN_WAIT_MS_MAX, promise).finally(() => expected.delete(id)) };
    },
    show: {
      guarantee: 'until_confirmed',
      unordered: true,
      async execute({ stored }, { aggregateId, companyId, attempt }) {
        const message = await messages.of(companyId).getRecent(aggregateId);
        if (!message) return;
        await Promise.all([
          stored ? applyToInbox(message, attempt === 1).then(() => announce(message)) : announce(message),
          stored && search.add(message),
        ]);
      },
      needsSettling: () => false,
    },
  };
}

/** Texts are sent only while texting is on. */
function isBeingSent(message: Message): boolean {
  return message.direction === 'outbound' && !lastAttempt(message).finalized;
}
