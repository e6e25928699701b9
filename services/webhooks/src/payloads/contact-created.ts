import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactCreated = definePayload({
  fact: 'directory.contact.created',
  event: 'contact.created',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
