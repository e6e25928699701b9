import { Refused, refusal } from '@parley/errors';
import { newId } from '@parley/ids';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { createContact } from './contact.ts';
import { contactToProto, detailsFromProto } from './contact-proto.ts';
import type { ContactDeps } from './contact-deps.ts';

export const createContactRpc =
  ({
    contacts,
    companies,
    clock,
    tick,
    cap,
  }: ContactDeps): Handler<typeof ContactService.method.createContact, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const country = await companies.countryOf(companyId);
    const identity = { id: newId('con'), companyId, createdOrder: tick() };
    const decision = createContact(identity, detailsFromProto(request), country, clock.now());
    if (decision.ok && !(await cap.hasCapacity(companyId))) {
      throw new Refused(refusal('limit_reached', `a company has at most ${cap.max} contacts`));
    }
    const contact = await contacts.of(companyId).create(decision);
    cap.added(companyId);
    return { contact: contactToProto(contact) };
  };
