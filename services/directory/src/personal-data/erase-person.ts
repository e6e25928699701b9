import { decided } from '@parley/errors';
import type { EventRemoval } from '@parley/aggregates';
import {
  type Erase,
  erasureOf,
  type ErasureStep,
  eventSteps,
  type ExportedFile,
  type ExportPerson,
  jsonFile,
} from '@parley/personal-data';
import type { Db } from 'mongodb';
import { create } from '@bufbuild/protobuf';
import { ContactSchema } from '@parley/proto/directory/v1/contacts_pb';
import { contactJson } from '@parley/public-json';
import type { Companies } from '../companies/company-store.ts';
import type { ContactImports } from '../contact-imports/contact-import-store.ts';
import { contactIdOf } from '../contact-imports/import-line.ts';
import type { SavedContexts } from '../caller-context/saved-context-store.ts';
import { eraseContact } from '../contacts/contact.ts';
import { type Contacts, contactToProto } from '../contacts/contact-store.ts';
import type { Exports } from '../exports/export-store.ts';

interface ErasePersonDeps {
  readonly db: Db;
  readonly removal: EventRemoval;
  readonly companies: Pick<Companies, 'countryOf'>;
  readonly contacts: Contacts;
  readonly imports: Pick<ContactImports, 'erasePerson'>;
  readonly savedContexts: SavedContexts;
  readonly exports: Exports;
}

/** Exports that one portion removes. */
const PORTION = 100;
/** Portions of files of contacts that one portion looks at. */
const IMPORT_PORTIONS = 20;

/** The contact with a number, also in files that are being imported, and what connected systems said about it. */
export function erasePerson(deps: ErasePersonDeps): Erase {
  const { db, removal, companies, contacts, imports, savedContexts, exports } = deps;
  /** Before the contact: an import that has read the line removes what it creates. */
  const importedLines: ErasureStep = {
    name: 'imports',
    async erase(person, after) {
      const { companyId } = person;
      const country = await companies.countryOf(companyId);
      const { lines, next } = await imports.erasePerson(person, country, { after, limit: IMPORT_PORTIONS });
      for (const { importId, line } of lines)
        await contacts.of(companyId).changeIfExists(contactIdOf(importId, line), eraseContact);
      return { removed: lines.length, next };
    },
  };
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
  return erasureOf([importedLines, contact, context, earlierExports, ...events]);
}

/** The contact with a number, and what connected systems said about it. */
export function exportPerson(deps: { contacts: Contacts; savedContexts: SavedContexts }): ExportPerson {
  return async function* ({ companyId, phoneNumber }): AsyncGenerator<ExportedFile> {
    const contact = await deps.contacts.of(companyId).findOne({ phone: phoneNumber });
    yield jsonFile('contact.json', of(contact && contactJson(create(ContactSchema, contactToProto(contact)))));
    const { id: _, companyId: __, ...context } = (await deps.savedContexts.get(companyId, phoneNumber)) ?? {};
    yield jsonFile('caller_context.json', of('phone' in context ? context : undefined));
  };
}

async function* of(item: object | undefined) {
  if (item) yield item;
}
