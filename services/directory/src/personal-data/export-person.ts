import { create } from '@bufbuild/protobuf';
import { type ExportedFile, type ExportPerson, jsonFile } from '@parley/personal-data';
import { ContactSchema } from '@parley/proto/directory/v1/contacts_pb';
import { contactJson } from '@parley/public-json';
import type { SavedContexts } from '../caller-context/saved-context-store.ts';
import { contactToProto } from '../contacts/contact-proto.ts';
import type { Contacts } from '../contacts/contact-store.ts';

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
