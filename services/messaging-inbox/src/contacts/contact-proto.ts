import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import type { ContactCopy } from './contact-copy.ts';

export function contactFromProto(contact: Contact, companyId: string): Omit<ContactCopy, 'searchTerms'> {
  return {
    id: contact.id,
    companyId,
    phone: contact.phone,
    phoneFormatted: contact.phoneFormatted,
    name: contact.name ?? null,
    email: contact.email ?? null,
    companyName: contact.companyName ?? null,
    note: contact.note ?? null,
    createdAt: contact.createdAt ? timestampDate(contact.createdAt) : new Date(0),
    updatedAt: contact.updatedAt ? timestampDate(contact.updatedAt) : new Date(0),
    revision: Number(contact.revision),
  };
}
