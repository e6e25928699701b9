import { eventually } from '../../expectations/eventually.ts';
import { Failure } from '../../expectations/failure.ts';
import type { ApiClient } from '../../http/api-client.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import type { Sandbox } from '../../world/sandbox.ts';

export const TEXTING = { messaging: true };
/** As a part of a path or query. */
export const coded = encodeURIComponent;

/** A number of its own. The threads of a check are those of its number. */
export async function ownNumber(company: Company, details: Readonly<Record<string, unknown>> = {}) {
  const { id, number } = await company.number(details);
  return { id: id as string, number: number as string };
}

export const activityPath = (customer: string, query = '') => `/inbox/${coded(customer)}/activity${query}`;

/** The thread of a customer as soon as it has so many items; newest first. */
export async function itemsOf(company: ApiClient, customer: string, count: number): Promise<any[]> {
  return await eventually(`there are ${count} items`, async () => {
    const { items } = await company.get(activityPath(customer, '?limit=100')).gives(200);
    if (items.length < count) throw new Failure(`there are ${items.length}`);
    return items;
  });
}

/** The threads of a business number as soon as there are so many. */
export async function threadsOf(company: ApiClient, numberId: string, count = 1): Promise<any[]> {
  return await eventually(`there are ${count} threads`, async () => {
    const { threads } = await company.get(`/inbox?business_number_id=${numberId}`).gives(200);
    if (threads.length < count) throw new Failure(`there are ${threads.length}`);
    return threads;
  });
}

/** A text of a new customer, as soon as it is in the inbox. */
export async function incomingText(company: Company, sandbox: Sandbox, number: string, text = 'Hello?') {
  const customer = freshPhone();
  await sandbox.text(customer, number, text);
  const [item] = await itemsOf(company, customer, 1);
  return { customer, item };
}

export const send = (company: ApiClient, numberId: string, to: string, text = 'Hello.') =>
  company.post(`/business_numbers/${numberId}/messages`, { to, text, idempotency_key: freshWord() });

export const markSeen = (company: ApiClient, customer: string, body: object) =>
  company.post(`/inbox/${coded(customer)}/seen`, body);
