import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactDeleted = definePayload({
  fact: 'directory.contact.deleted',
  event: 'contact.deleted',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
