import { invalid, Refused } from '@parley/errors';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';

const PHONES_MAX = 100;

export const findContactsByPhonesRpc =
  ({ contacts }: ContactDeps): Handler<typeof ContactService.method.findContactsByPhones, EmployeePrincipal> =>
  async ({ phones }, { principal: { companyId } }) => {
    if (phones.length > PHONES_MAX) throw new Refused(invalid({ phones: [`are more than ${PHONES_MAX}`] }));
    const found = contacts.of(companyId).find({ phone: { $in: phones } }, { phone: 1 });
    return { contacts: (await Array.fromAsync(found)).map(contactToProto) };
  };
