import type { ContactDeps } from './contact-deps.ts';
import { employees, type RpcServer } from '@parley/rpc';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { createContactRpc } from './rpc-create-contact.ts';
import { deleteContactRpc } from './rpc-delete-contact.ts';
import { findContactByPhoneRpc } from './rpc-find-contact-by-phone.ts';
import { findContactsByPhonesRpc } from './rpc-find-contacts-by-phones.ts';
import { getContactRpc } from './rpc-get-contact.ts';
import { listContactPageRpc } from './rpc-list-contact-page.ts';
import { listContactsRpc } from './rpc-list-contacts.ts';
import { searchContactsRpc } from './rpc-search-contacts.ts';
import { updateContactRpc } from './rpc-update-contact.ts';

/** Every RPC of the contract and the file of its handler. */
export function addContactService(server: RpcServer, deps: ContactDeps): void {
  server.add(ContactService, employees.withRole('member'), {
    createContact: createContactRpc(deps),
    getContact: getContactRpc(deps),
    listContacts: listContactsRpc(deps),
    listContactPage: listContactPageRpc(deps),
    findContactByPhone: findContactByPhoneRpc(deps),
    findContactsByPhones: findContactsByPhonesRpc(deps),
    searchContacts: searchContactsRpc(deps),
    updateContact: updateContactRpc(deps),
    deleteContact: deleteContactRpc(deps),
  });
}
