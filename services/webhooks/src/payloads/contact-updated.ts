import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactUpdated = definePayload({
  fact: 'directory.contact.updated',
  event: 'contact.updated',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
