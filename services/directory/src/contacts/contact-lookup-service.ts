import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { listContactsForBackfillRpc } from './rpc-list-contacts-for-backfill.ts';
import { lookUpContactRpc } from './rpc-look-up-contact.ts';

/** Every RPC of the contract and the file of its handler. */
export function addContactLookupService(server: RpcServer, deps: ContactDeps): void {
  server.add(ContactLookupService, services('call-control', 'messaging-inbox'), {
    lookUpContact: lookUpContactRpc(deps),
    listContactsForBackfill: listContactsForBackfillRpc(deps),
  });
}
