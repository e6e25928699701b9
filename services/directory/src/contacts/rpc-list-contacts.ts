import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { contactToProto } from './contact-proto.ts';
import { NEWEST_FIRST } from './contact-store.ts';
import type { ContactDeps } from './contact-deps.ts';

export const listContactsRpc = ({
  contacts,
}: ContactDeps): Handler<typeof ContactService.method.listContacts, EmployeePrincipal> =>
  async function* (_request, { principal: { companyId } }) {
    for await (const chunk of contacts.of(companyId).findInChunks({}, NEWEST_FIRST)) {
      yield { contacts: chunk.map(contactToProto) };
    }
  };
