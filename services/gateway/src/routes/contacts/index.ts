import type { Clients } from '../../peers/peers.ts';
import { contactImportEndpoints } from './contact-import-endpoints.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { exportContacts } from './export-contacts.ts';
import { getContact } from './get-contact.ts';
import { listContacts } from './list-contacts.ts';
import { updateContact } from './update-contact.ts';

export const contactEndpoints = (clients: Clients) => [
  listContacts(clients),
  exportContacts(clients),
  ...contactImportEndpoints(clients),
  createContact(clients),
  getContact(clients),
  updateContact(clients),
  deleteContact(clients),
];
