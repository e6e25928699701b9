import { invalid, Refused } from '@parley/errors';
import type { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { Contact } from './contact.ts';
import type { ContactDeps } from './contact-deps.ts';
import { contactToProto } from './contact-proto.ts';
import { OLDEST_FIRST } from './contact-store.ts';

/**
 * A company's contacts in the order of their creation, all companies' in the order of their ids: neither ever changes for a
 * contact, so a resumed backfill leaves none out.
 */
export const listContactsForBackfillRpc = ({
  contacts,
}: ContactDeps): Handler<typeof ContactLookupService.method.listContactsForBackfill, ServicePrincipal> =>
  async function* ({ companyId, after }) {
    const ofCompany = companyId !== '';
    const chunks = ofCompany
      ? contacts.of(companyId).findInChunks({ createdOrder: { $gte: orderFrom(after) } }, OLDEST_FIRST)
      : contacts.acrossCompanies.findInChunks({ id: { $gt: after } }, { id: 1 });
    const cursorOf = ({ id, createdOrder }: Contact) => (ofCompany ? String(createdOrder) : id);
    for await (const chunk of chunks) {
      const last = chunk.at(-1);
      if (last)
        yield {
          contacts: chunk.map((contact) => ({ companyId: contact.companyId, contact: contactToProto(contact) })),
          cursor: cursorOf(last),
        };
    }
  };

function orderFrom(after: string): number {
  const order = Number(after);
  if (!Number.isSafeInteger(order)) throw new Refused(invalid({ after: ['is not a cursor of this list'] }));
  return order;
}
