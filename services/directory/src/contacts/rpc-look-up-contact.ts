import { readPhoneNumber } from '@parley/phone-numbers';
import type { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';

export const lookUpContactRpc =
  ({ contacts, companies }: ContactDeps): Handler<typeof ContactLookupService.method.lookUpContact, ServicePrincipal> =>
  async ({ companyId, phone: given }) => {
    const phone = readPhoneNumber(given, await companies.countryOf(companyId));
    const contact = phone && (await contacts.of(companyId).findOne({ phone: phone.number }));
    return contact ? { contact: contactToProto(contact) } : {};
  };
