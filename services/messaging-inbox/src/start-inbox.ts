import type { StatefulService } from '@parley/service';
import { nounOf } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import { batching } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import type { Encryptor } from '@parley/secrets';
import { type Comments, openComments } from './comments/comment-store.ts';
import { contactFollower } from './contacts/contact-follower.ts';
import { type ContactCopies, openContactCopies } from './contacts/contact-copy-store.ts';
import { spokenContent } from './followers/spoken-content.ts';
import { type ItemTexts, itemTexts } from './projection/item-texts.ts';
import { inboxHandlers } from './followers/inbox-followers.ts';
import { type InboxStore, openInbox } from './projection/inbox-store.ts';
import { type InboxProjection, inboxProjection } from './projection/projection-store.ts';
import { type HandlingCopies, handlingCopies } from './threads/handling-copies.ts';
import { openThreadHandlings, type ThreadHandlings } from './threads/thread-handling-store.ts';
import { removeEmptyThreads } from './personal-data/remove-empty-threads.ts';
import type { RecentTexts } from './projection/message-projection.ts';
import { startStaleThreads } from './projection/start-stale-threads.ts';
import { type LiveUpdates, liveUpdates } from './live/live-updates.ts';
import type { Message } from './messages/message.ts';
import type { SeenTimes } from './messages/message-views.ts';

/** A text that has one of these and was brought to the inbox needs nothing more. */
const storedTextEvents = ['messaging-inbox.message.received', 'messaging-inbox.message.created'];

/** A call that has just started is not deleted yet: if one of its events comes again, there is its item, and it says how far it is. */
const CALL_EVENTS = 'call-control.call.';
const CALL_DELETED = 'call-control.call.deleted';
const CALL_KEPT_MS = 60_000;

/** The inbox with what keeps it up to date. */
export interface InboxParts {
  readonly store: InboxStore;
  readonly projection: InboxProjection;
  readonly handlings: ThreadHandlings;
  readonly copies: HandlingCopies;
  readonly comments: Comments;
  readonly contacts: ContactCopies;
  readonly texts: ItemTexts;
  readonly live: LiveUpdates;
  readonly nowMicros: () => number;
  readonly seenTimes: SeenTimes;
}

export interface InboxPartsOptions {
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
  readonly callControl: Channel;
  readonly encryptor: Encryptor;
  readonly messageOf: (companyId: string, id: string) => Promise<Message | undefined>;
  readonly recentTexts: RecentTexts;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

export async function openInboxParts(
  service: StatefulService<string, true>,
  { callControl, encryptor, tick, erased, messageOf, recentTexts }: InboxPartsOptions,
): Promise<InboxParts> {
  const { backgroundWork, broker, clock, db, relay, telemetry } = service;
  const store = await openInbox(db);
  const comments = await openComments({ db, relay, clock, encryptor });
  const contacts = await openContactCopies(db);
  const live = liveUpdates(broker);
  const handlings = await openThreadHandlings({ db, relay, clock });
  const copies = handlingCopies({ store, handlings, live });
  service.stopLater('commands of threads', handlings.startCommands<{ copy: void }>({ copy: copies.command }));
  const projection = inboxProjection({ store, clock, nowMicros: tick, reopen: copies.reopen });
  const texts = itemTexts(encryptor);
  const stale = startStaleThreads({ store, projection, clock, backgroundWork, log: telemetry.log });
  service.stopLater('stale threads', stale);
  const handlers = inboxHandlers({
    projection,
    erased,
    said: spokenContent(callControl),
    texts,
    live,
    removeThreads: (companyId, phone) => removeEmptyThreads({ store, handlings, comments }, companyId, phone),
    hasItem: async (companyId, id) => (await store.items.of(companyId).getRecent(id)) !== undefined,
    messageOf,
  });
  await service.follow({
    name: 'messaging-inbox',
    handlers,
    // Nearly all texts were brought here by their commands; saving a position for each would cost more than that.
    relevantNouns: ['message'],
    relevant: async (events) =>
      events.map(
        ({ type, aggregateId }) =>
          nounOf(type) !== 'message' ||
          (handlers.types.some((one) => one === type) &&
            !(storedTextEvents.includes(type) && recentTexts.has(aggregateId))),
      ),
    toleratesReplay: ({ type, occurredAt }) =>
      type.startsWith(CALL_EVENTS) &&
      type !== CALL_DELETED &&
      clock.now().getTime() - occurredAt.getTime() < CALL_KEPT_MS,
    batching: batching.listedEvents,
  });
  await service.follow({ name: 'messaging-inbox-contacts', ...contactFollower({ contacts, erased }) });
  return {
    store,
    projection,
    handlings,
    copies,
    comments,
    contacts,
    texts,
    live,
    nowMicros: () => clock.now().getTime() * 1000 + 999,
    async seenTimes(companyId, messages) {
      const seen = new Map<string, number>();
      const ids = messages.map(({ id }) => id);
      if (ids.length === 0) return seen;
      for await (const { id, seenAt } of store.items.of(companyId).find({ id: { $in: ids } }, { id: 1 }))
        if (seenAt !== null) seen.set(id, seenAt);
      return seen;
    },
  };
}
