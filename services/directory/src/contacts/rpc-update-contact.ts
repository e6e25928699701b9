import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { updateContact } from './contact.ts';
import { changeFromProto, contactToProto } from './contact-proto.ts';
import type { ContactDeps } from './contact-deps.ts';

export const updateContactRpc =
  ({
    contacts,
    companies,
    clock,
  }: ContactDeps): Handler<typeof ContactService.method.updateContact, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const country = await companies.countryOf(companyId);
    const change = changeFromProto(request);
    const contact = await contacts
      .of(companyId)
      .change(request.id, (current) => updateContact(current, change, country, clock.now()));
    return { contact: contactToProto(contact) };
  };
