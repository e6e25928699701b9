import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { deleteContact } from './contact.ts';
import type { ContactDeps } from './contact-deps.ts';

export const deleteContactRpc =
  ({ contacts }: ContactDeps): Handler<typeof ContactService.method.deleteContact, EmployeePrincipal> =>
  async ({ id }, { principal: caller }) => {
    await contacts.of(caller.companyId).change(id, deleteContact);
    return {};
  };
