import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';

/** The specification's full contact model. */
export function contactJson(contact: Contact | undefined): object {
  if (!contact?.createdAt || !contact.updatedAt) throw new Error('a contact event without its contact');
  return {
    id: contact.id,
    name: contact.name ?? null,
    email: contact.email ?? null,
    phone: contact.phone,
    phone_formatted: contact.phoneFormatted,
    company_name: contact.companyName ?? null,
    note: contact.note ?? null,
    created_at: timestampDate(contact.createdAt).toISOString(),
    updated_at: timestampDate(contact.updatedAt).toISOString(),
  };
}
