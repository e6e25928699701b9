import { notFound, Refused } from '@parley/errors';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { contactToProto } from './contact-proto.ts';
import type { ContactDeps } from './contact-deps.ts';

export const getContactRpc =
  ({ contacts }: ContactDeps): Handler<typeof ContactService.method.getContact, EmployeePrincipal> =>
  async ({ id }, { principal: caller }) => {
    const contact = await contacts.of(caller.companyId).get(id);
    if (!contact) throw new Refused(notFound);
    return { contact: contactToProto(contact) };
  };
