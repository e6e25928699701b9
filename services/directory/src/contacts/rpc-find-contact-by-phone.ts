import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { readPhoneNumber } from '@parley/phone-numbers';
import { contactToProto } from './contact-proto.ts';
import type { ContactDeps } from './contact-deps.ts';

export const findContactByPhoneRpc =
  ({ contacts, companies }: ContactDeps): Handler<typeof ContactService.method.findContactByPhone, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const phone = readPhoneNumber(request.phone, await companies.countryOf(companyId));
    const contact = phone && (await contacts.of(companyId).findOne({ phone: phone.number }));
    return contact ? { contact: contactToProto(contact) } : {};
  };
