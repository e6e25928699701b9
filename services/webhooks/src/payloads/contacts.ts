import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { contactJson } from '@parley/public-json';
import { definePayload, type Payload } from './payload.ts';

export const contactPayloads: readonly Payload[] = [
  definePayload({ fact: 'directory.contact.created', event: 'contact.created', data: contactData }),
  definePayload({ fact: 'directory.contact.updated', event: 'contact.updated', data: contactData }),
  definePayload({ fact: 'directory.contact.deleted', event: 'contact.deleted', data: contactData }),
];

function contactData({ contact }: { contact?: Contact }): object {
  if (!contact) throw new Error('a contact event without its contact');
  return { contact: contactJson(contact) };
}
