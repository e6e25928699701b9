import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { ContactSchema, CreateContactRequest, UpdateContactRequest } from '@parley/proto/directory/v1/contacts_pb';
import { textChange } from '../text-change-proto.ts';
import type { Contact, ContactChange, ContactDetails, ContactEvent } from './contact.ts';

export function contactToProto(contact: Contact): MessageInitShape<typeof ContactSchema> {
  return {
    id: contact.id,
    phone: contact.phone,
    phoneFormatted: contact.phoneFormatted,
    ...(contact.name !== null && { name: contact.name }),
    ...(contact.email !== null && { email: contact.email }),
    ...(contact.companyName !== null && { companyName: contact.companyName }),
    ...(contact.note !== null && { note: contact.note }),
    createdAt: timestampFromDate(contact.createdAt),
    updatedAt: timestampFromDate(contact.updatedAt),
    revision: BigInt(contact.revision),
  };
}

export function detailsFromProto(request: CreateContactRequest): ContactDetails {
  return {
    phone: request.phone,
    name: request.name ?? null,
    email: request.email ?? null,
    companyName: request.companyName ?? null,
    note: request.note ?? null,
  };
}

export function changeFromProto(request: UpdateContactRequest): ContactChange {
  return {
    ...(request.phone !== undefined && { phone: request.phone }),
    ...textChange('name', request.name),
    ...textChange('email', request.email),
    ...textChange('companyName', request.companyName),
    ...textChange('note', request.note),
  };
}

export function encodeContactEvent(event: ContactEvent): EncodedMessage {
  return encodeMessage(event.type, { contact: contactToProto(event.contact) });
}
