import type { LiveUpdates } from '../live/live-updates.ts';
import { lastAttempt, type Message, type ShowCommand } from '../messages/message.ts';
import { messageFact } from './item-facts.ts';
import type { InboxProjection } from './projection-store.ts';

/** Brings texts into the inbox. */
export interface MessageProjection {
  /** Resolves once the inbox has the text: the request that stored it and its command share one application. */
  store(message: Message): Promise<void>;
  /** The command of a text that was stored or has another status. */
  readonly show: {
    readonly guarantee: 'until_confirmed';
    readonly unordered: true;
    execute(command: ShowCommand, context: { aggregateId: string; companyId: string }): Promise<void>;
    needsSettling(): false;
  };
}

/** Texts whose application this process remembers, so that it is not repeated for the command. */
const RECENT_MAX = 10_000;

export function messageProjection(deps: {
  readonly projection: Pick<InboxProjection, 'apply'>;
  readonly live: LiveUpdates;
  /** The text as this process stored it last. */
  readonly messageOf: (companyId: string, id: string) => Promise<Message | undefined>;
  /** Whether texting is on for the company; while it is off, there are no live updates of texts. */
  readonly showsMessages: (companyId: string) => Promise<boolean>;
}): MessageProjection {
  const { projection, live, messageOf, showsMessages } = deps;
  const recent = new Map<string, Promise<void>>();

  function store(message: Message): Promise<void> {
    const known = recent.get(message.id);
    if (known) return known;
    const applied = projection.apply(messageFact(message)).then(() => undefined);
    recent.set(message.id, applied);
    const [oldest] = recent.size > RECENT_MAX ? recent.keys() : [];
    if (oldest !== undefined) recent.delete(oldest);
    applied.catch(() => recent.delete(message.id));
    return applied;
  }

  async function announce(message: Message): Promise<void> {
    const { id, companyId, direction, externalNumber } = message;
    if (!isBeingSent(message) && !(await showsMessages(companyId))) return;
    if (direction === 'inbound') live.publish(companyId, { type: 'unseen_update' });
    live.publish(companyId, { type: 'sms_update', id, phone_number: externalNumber });
  }

  return {
    store,
    show: {
      guarantee: 'until_confirmed',
      unordered: true,
      async execute({ stored }, { aggregateId, companyId }) {
        const message = await messageOf(companyId, aggregateId);
        if (!message) return;
        if (stored) await store(message);
        await announce(message);
      },
      needsSettling: () => false,
    },
  };
}

/** Texts are sent only while texting is on. */
function isBeingSent(message: Message): boolean {
  return message.direction === 'outbound' && !lastAttempt(message).finalized;
}
