import { decodeMessage, type Event, type EventHandlers, type EventMessage } from '@parley/events';
import { isUnreachable } from '@parley/mongo';
import type { ErasedPeople } from '@parley/personal-data';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { batching } from '@parley/queues';
import type { ContactCopy } from './contact-copy.ts';
import type { ContactCopies } from './contact-copy-store.ts';
import { contactFromProto } from './contact-proto.ts';

type Copied = Omit<ContactCopy, 'searchTerms'>;

interface ContactFollower {
  readonly handlers: EventHandlers;
  relevant(events: readonly Event[]): Promise<boolean[]>;
  readonly waitMs: number;
}

const DELETED = 'directory.contact.deleted';
const changeTypes = ['directory.contact.created', 'directory.contact.updated', DELETED] as const;

/**
 * Keeps the copies equal to the contacts. Their events are applied together and need no positions: a copy has the revision that it
 * was made from, and what is read again ends with the last event again. Events that cannot be applied together are left to the
 * handlers, one by one.
 */
export function contactFollower(deps: {
  readonly contacts: Pick<ContactCopies, 'apply' | 'applyAll' | 'remove'>;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
}): ContactFollower {
  const { contacts, erased } = deps;
  /** An older contact may get the number after the erasure, so the time of the change decides. */
  const wasErased = ({ companyId, phone }: Copied, { occurredAt }: Event) =>
    erased.wasErased(companyId, [phone], occurredAt);
  const onChange = async ({ contact }: { contact?: Contact }, event: Event) => {
    const copy = contact && contactFromProto(contact, event.companyId);
    if (copy && !(await wasErased(copy, event))) await contacts.apply(copy);
  };

  async function applyTogether(events: readonly Event[]): Promise<void> {
    const last = new Map(events.map((event) => [event.aggregateId, event]));
    const changed: Copied[] = [];
    const decide = async (event: Event) => {
      if (event.type === DELETED) return;
      const { contact } = changeOf(event);
      const copy = contact && contactFromProto(contact, event.companyId);
      if (copy && !(await wasErased(copy, event))) changed.push(copy);
    };
    await Promise.all([...last.values()].map(decide));
    await contacts.applyAll(changed);
    for (const { type, companyId, aggregateId } of last.values())
      if (type === DELETED) await contacts.remove(companyId, aggregateId);
  }

  return {
    waitMs: batching.listedEvents.waitMs,
    handlers: {
      'directory.contact.created': onChange,
      'directory.contact.updated': onChange,
      'directory.contact.deleted': async ({ contact }, { companyId }) => {
        if (contact) await contacts.remove(companyId, contact.id);
      },
    },
    async relevant(events) {
      const ours = events.filter(isChange);
      try {
        await applyTogether(ours);
        return events.map(() => false);
      } catch (error) {
        // Without the database the same events are tried again.
        if (isUnreachable(error)) throw error;
        return events.map(isChange);
      }
    },
  };
}

function isChange({ type }: Event): boolean {
  return (changeTypes as readonly string[]).includes(type);
}

function changeOf({ type, data }: Event): EventMessage<(typeof changeTypes)[number]> {
  return decodeMessage(type as (typeof changeTypes)[number], data);
}
