import { createTestCompany, succeeded } from '../support/api.ts';
import { type Load, type ReplicatedStack, startLoad } from '../support/replicated-stack.ts';

const CONTACTS = 50;

/** Reads of every service and changes of some contacts. */
export async function startMixedLoad(stack: ReplicatedStack, perSecond: number): Promise<Load> {
  const company = await createTestCompany(stack.local, { messaging_enabled: true });
  const contacts: string[] = [];
  for (let n = 0; n < CONTACTS; n++) {
    const contact = { phone: `+45203040${10 + n}`, name: 'Ane' };
    const { body } = await succeeded(company.call('POST', '/contacts', contact));
    contacts.push(`/contacts/${body.id}`);
  }
  const reads = ['/contacts', '/employees', '/business_numbers', '/calls', '/inbox', '/webhooks', ...contacts];
  let count = 0;
  const next = () => {
    count += 1;
    const contact = contacts[count % contacts.length] ?? '';
    if (count % 5 === 0) return { method: 'PATCH', path: contact, body: { name: `Ane ${count}` } };
    return { method: 'GET', path: reads[count % reads.length] ?? '/contacts' };
  };
  return startLoad(stack, { perSecond, next, apiKey: company.apiKey });
}
