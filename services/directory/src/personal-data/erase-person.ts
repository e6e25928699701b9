import type { EventRemoval } from '@parley/outbox';
import { type Erase, erasureOf, type ErasureStep, eventSteps } from '@parley/personal-data';
import type { Db } from 'mongodb';
import type { SavedContexts } from '../caller-context/saved-context-store.ts';
import { eraseContact } from '../contacts/contact.ts';
import type { Contacts } from '../contacts/contact-store.ts';

export interface ErasePersonDeps {
  readonly db: Db;
  readonly removal: EventRemoval;
  readonly contacts: Contacts;
  readonly savedContexts: SavedContexts;
}

/** The contact with a number, and what connected systems said about it. */
export function erasePerson({ db, removal, contacts, savedContexts }: ErasePersonDeps): Erase {
  const contact: ErasureStep = {
    name: 'contact',
    async erase({ companyId, phoneNumber, before }) {
      const own = contacts.of(companyId);
      const found = await own.findOne({ phone: phoneNumber });
      if (!found || found.createdAt > before) return { removed: 0 };
      const left = await own.changeIfExists(found.id, eraseContact);
      return { removed: left === null ? 1 : 0 };
    },
  };
  const context: ErasureStep = {
    name: 'caller_context',
    erase: async ({ companyId, phoneNumber, before }) => ({
      removed: (await savedContexts.remove(companyId, phoneNumber, before)) ? 1 : 0,
    }),
  };
  const events = eventSteps({
    db,
    removal,
    keeps: async ({ aggregateId }, { companyId }) =>
      (await contacts.of(companyId).get(aggregateId)) !== undefined ||
      (await savedContexts.aggregates.of(companyId).get(aggregateId)) !== undefined,
  });
  return erasureOf([contact, context, ...events]);
}
