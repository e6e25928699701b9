import type { LiveUpdates } from '../live/live-updates.ts';
import { lastAttempt, type Message, type ShowCommand } from '../messages/message.ts';
import { messageFact } from './item-facts.ts';
import type { InboxProjection } from './projection-store.ts';

/** Brings texts into the inbox. */
export interface MessageProjection {
  /** Resolves once the inbox has the text: the request that stored it and its command share one application. */
  store(message: Message, isNew?: boolean): Promise<void>;
  /** The command of a text that was stored or has another status. */
  readonly show: {
    readonly guarantee: 'until_confirmed';
    readonly unordered: true;
    execute(command: ShowCommand, context: { aggregateId: string; companyId: string; attempt: number }): Promise<void>;
    needsSettling(): false;
  };
}

/** Texts that this process has brought to the inbox or is bringing there, so that it is not repeated for the command. */
export type RecentTexts = Map<string, Promise<void>>;

const RECENT_MAX = 10_000;

export function messageProjection(deps: {
  readonly projection: Pick<InboxProjection, 'apply'>;
  readonly live: LiveUpdates;
  readonly recent: RecentTexts;
  /** The text as this process stored it last. */
  readonly messageOf: (companyId: string, id: string) => Promise<Message | undefined>;
  /** True when messaging is enabled for the company; otherwise there are no live updates of texts. */
  readonly showsMessages: (companyId: string) => Promise<boolean>;
}): MessageProjection {
  const { projection, live, recent, messageOf, showsMessages } = deps;

  function store(message: Message, isNew = false): Promise<void> {
    const known = recent.get(message.id);
    if (known) return known;
    const applied = projection.apply(messageFact(message), isNew).then(() => undefined);
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
      async execute({ stored }, { aggregateId, companyId, attempt }) {
        const message = await messageOf(companyId, aggregateId);
        if (!message) return;
        if (stored) await store(message, attempt === 1);
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
