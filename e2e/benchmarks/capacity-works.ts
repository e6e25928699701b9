import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { sendRequests, type SentRequest } from './request-rounds.ts';

/** Work of one kind. */
export interface CapacityWork {
  readonly name: string;
  /** The services that it is measured for; without them, all. */
  readonly of?: readonly string[];
  /** Resolves with what is measured: does the work, and resolves with how many units it was. */
  readonly prepare: (local: LocalJson) => Promise<() => Promise<number>>;
}

const CONNECTIONS = 16;
const CONTACTS = 200;
/** Enough for the limit of thirty texts a minute of each. */
const NUMBERS = 40;
const TEXTS = 600;
const PEOPLE = 200;
const WEBHOOKS = 10;

export const capacityWorks: readonly CapacityWork[] = [
  {
    name: 'a contact is read',
    async prepare(local) {
      const { company, contactIds } = await companyWithContacts(local);
      return requests(company, local, 4000, (n) => ({ method: 'GET', path: `/contacts/${contactIds[n % CONTACTS]}` }));
    },
  },
  {
    name: 'a contact is changed',
    async prepare(local) {
      const { company, contactIds } = await companyWithContacts(local);
      return requests(company, local, 2000, (n) => changeOf(contactIds, n));
    },
  },
  {
    name: 'a change is delivered to a webhook',
    of: ['webhooks'],
    async prepare(local) {
      const { company, contactIds } = await companyWithContacts(local);
      for (let n = 0; n < WEBHOOKS; n++) await subscribe(company, local, `capacity-${n}`, ['contact.updated']);
      const change = requests(company, local, 400, (n) => changeOf(contactIds, n));
      return async () => (await change()) * WEBHOOKS;
    },
  },
  {
    name: 'a text is sent',
    async prepare(local) {
      const { company, numbers } = await companyWithNumbers(local);
      return requests(company, local, TEXTS, (n) => ({
        method: 'POST',
        path: `/business_numbers/${numbers[n % NUMBERS]!.id}/messages`,
        body: { to: personOf(n), text: textOf(n), idempotency_key: `capacity-${n}` },
      }));
    },
  },
];

/** Requests of a company; each differs from those at the same time. */
function requests(
  { apiKey }: Company,
  local: LocalJson,
  amount: number,
  request: (n: number) => { method: SentRequest['method']; path: string; body?: unknown },
): () => Promise<number> {
  return async () => {
    let next = 0;
    await sendRequests({
      url: local.base_url,
      connections: CONNECTIONS,
      amount,
      request: () => {
        const { path, ...rest } = request(next++);
        return { ...rest, url: `${local.base_url}/api/v1${path}`, headers: { 'X-Api-Key': apiKey } };
      },
    });
    return amount;
  };
}

const personOf = (n: number) => `+4520${200_000 + (n % PEOPLE)}`;
const textOf = (n: number) => `Text ${n} of an ordinary length, as people write it`;
const changeOf = (contactIds: readonly string[], n: number) =>
  ({
    method: 'PATCH',
    path: `/contacts/${contactIds[n % CONTACTS]}`,
    body: { note: `Note ${n} of ${Date.now()}` },
  }) as const;

async function companyWithContacts(local: LocalJson) {
  const company = await createTestCompany(local);
  const contactIds: string[] = [];
  for (let n = 0; n < CONTACTS; n++) {
    const body = {
      phone: personOf(n),
      name: `Contact ${n}`,
      email: `contact.${n}@example.dk`,
      company_name: 'Example',
    };
    contactIds.push((await succeeded(company.call('POST', '/contacts', body))).body.id);
  }
  return { company, contactIds };
}

async function companyWithNumbers(local: LocalJson) {
  const company = await createTestCompany(local, { messaging_enabled: true });
  const numbers: { id: string; number: string }[] = [];
  for (let n = 0; n < NUMBERS; n++) numbers.push((await createNumber(company, {}, local)).body);
  return { company, numbers };
}

async function subscribe(company: Company, local: LocalJson, hook: string, events: readonly string[]): Promise<void> {
  const url = `${local.sandbox_url}/hooks/${hook}`;
  await succeeded(company.call('POST', '/webhooks', { name: hook, url, events }));
}
