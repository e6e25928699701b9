import { decided } from '@parley/errors';
import type { EventRemoval } from '@parley/aggregates';
import { type Erase, erasureOf, type ErasureStep, eventSteps } from '@parley/personal-data';
import type { Db } from 'mongodb';
import type { SavedContexts } from '../caller-context/saved-context-store.ts';
import { eraseContact } from '../contacts/contact.ts';
import type { Contacts } from '../contacts/contact-store.ts';
import type { Exports } from '../exports/export-store.ts';

export interface ErasePersonDeps {
  readonly db: Db;
  readonly removal: EventRemoval;
  readonly contacts: Contacts;
  readonly savedContexts: SavedContexts;
  readonly exports: Exports;
}

/** Exports that one portion removes. */
const PORTION = 100;

/** The contact with a number, and what connected systems said about it. */
export function erasePerson({ db, removal, contacts, savedContexts, exports }: ErasePersonDeps): Erase {
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
  const earlierExports: ErasureStep = {
    name: 'exports',
    async erase({ companyId, phoneNumber }) {
      const own = exports.of(companyId);
      const found = await Array.fromAsync(own.find({ phoneNumber }, { id: 1 }, PORTION));
      for (const { id } of found) await own.changeIfExists(id, () => decided(null));
      // They are not records of the person.
      return { removed: 0, next: found.length < PORTION ? undefined : '' };
    },
  };
  return erasureOf([contact, context, earlierExports, ...events]);
}
