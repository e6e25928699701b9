import { assignMessages } from './assistant-messages/assign-messages.ts';
import { batching } from '@parley/queues';
import { type Comments, openComments } from './comments/comment-store.ts';
import { contactFollower } from './contacts/contact-follower.ts';
import { type ContactCopies, openContactCopies } from './contacts/contact-copy-store.ts';
import { inboxHandlers } from './followers/inbox-followers.ts';
import { type SpokenContent, spokenContent } from './followers/spoken-content.ts';
import { type LiveUpdates, liveUpdates } from './live/live-updates.ts';
import type { SeenTimes } from './messages/message-views.ts';
import { removeEmptyThreads } from './personal-data/remove-empty-threads.ts';
import { type InboxStore, openInbox } from './projection/inbox-store.ts';
import { type ItemTexts, itemTexts } from './projection/item-texts.ts';
import { type InboxProjection, inboxProjection } from './projection/projection-store.ts';
import { startStaleThreads } from './projection/start-stale-threads.ts';
import type { ServiceContext } from './service-context.ts';
import { type HandlingCopies, handlingCopies } from './threads/handling-copies.ts';
import { openThreadHandlings, type ThreadHandlings } from './threads/thread-handling-store.ts';

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
  readonly spoken: SpokenContent;
  readonly live: LiveUpdates;
  readonly nowMicros: () => number;
  readonly seenTimes: SeenTimes;
}

export async function startInbox(context: ServiceContext): Promise<InboxParts> {
  const { broker, clock, db, encryptor, erased, peers, relay, tick } = context;
  const store = await openInbox(db);
  const comments = await openComments({ db, relay, clock, encryptor });
  const contacts = await openContactCopies(db);
  const live = liveUpdates(broker);
  const handlings = await openThreadHandlings({ db, relay, clock });
  const copies = handlingCopies({ store, handlings, live });
  context.stopLater('commands of threads', handlings.startCommands<{ copy: void }>({ copy: copies.command }));
  const projection = inboxProjection({ store, clock, nowMicros: tick, reopen: copies.reopen });
  context.stopLater('stale threads', startStaleThreads({ ...context, store, projection }));
  const texts = itemTexts(encryptor);
  const spoken = spokenContent(peers);
  await context.follow({
    name: 'messaging-inbox',
    handlers: inboxHandlers({
      projection,
      erased,
      spoken,
      texts,
      live,
      removeThreads: (companyId, phone) => removeEmptyThreads({ store, handlings, comments }, companyId, phone),
    }),
    toleratesReplay: ({ type, occurredAt }) =>
      type.startsWith(CALL_EVENTS) &&
      type !== CALL_DELETED &&
      clock.now().getTime() - occurredAt.getTime() < CALL_KEPT_MS,
    batching: batching.listedEvents,
  });
  await context.follow({
    name: 'messaging-inbox-assistants',
    handlers: assignMessages({ ...context, store, handlings, spoken }),
  });
  await context.follow({ name: 'messaging-inbox-contacts', ...contactFollower({ contacts, erased }) });
  return {
    store,
    projection,
    handlings,
    copies,
    comments,
    contacts,
    texts,
    spoken,
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
