import { ContactDeletedSchema } from '@parley/proto/directory/v1/contact_events_pb';
import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactDeleted = definePayload({
  fact: 'directory.contact.deleted',
  schema: ContactDeletedSchema,
  event: 'contact.deleted',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
