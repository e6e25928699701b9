import type { DecodedEvent, FollowerOptions } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { batching } from '@parley/queues';
import { type ContactCopy, contactFromProto } from './contact-copy.ts';
import type { ContactCopies } from './contact-copy-store.ts';

type Copied = Omit<ContactCopy, 'searchTerms'>;

const DELETED = 'directory.contact.deleted';

/**
 * Keeps the copies equal to the contacts. Their events need no positions: a copy has the revision that it was made from, and
 * what is read again ends with the last event again.
 */
export function contactFollower(deps: {
  readonly contacts: Pick<ContactCopies, 'applyAll' | 'remove'>;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
}): Pick<FollowerOptions, 'handlers' | 'withoutPositions' | 'batching'> {
  const { contacts, erased } = deps;

  async function copyOf({ message, event }: DecodedEvent): Promise<Copied[]> {
    const { contact } = message as { contact?: Contact };
    const copy = contact && contactFromProto(contact, event.companyId);
    // An older contact may get the number after the erasure, so the time of the change decides.
    return !copy || (await erased.wasErased(copy.companyId, [copy.phone], event.occurredAt)) ? [] : [copy];
  }

  return {
    batching: batching.listedEvents,
    withoutPositions: true,
    handlers: {
      types: ['directory.contact.created', 'directory.contact.updated', DELETED],
      batchPer: 'follower',
      async handleBatch(events) {
        const last = [...new Map(events.map((one) => [one.event.aggregateId, one])).values()];
        const copies = await Promise.all(last.filter(({ type }) => type !== DELETED).map(copyOf));
        await contacts.applyAll(copies.flat());
        for (const { type, event } of last)
          if (type === DELETED) await contacts.remove(event.companyId, event.aggregateId);
      },
    },
  };
}
