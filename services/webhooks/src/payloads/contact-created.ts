import { ContactCreatedSchema } from '@parley/proto/directory/v1/contact_events_pb';
import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactCreated = definePayload({
  fact: 'directory.contact.created',
  schema: ContactCreatedSchema,
  event: 'contact.created',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
