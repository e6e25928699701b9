import { ContactUpdatedSchema } from '@parley/proto/directory/v1/contact_events_pb';
import { contactJson } from './contact-json.ts';
import { definePayload } from './payload.ts';

export const contactUpdated = definePayload({
  fact: 'directory.contact.updated',
  schema: ContactUpdatedSchema,
  event: 'contact.updated',
  data: ({ contact }) => ({ contact: contactJson(contact) }),
});
