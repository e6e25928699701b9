import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { coded, incomingText, markSeen, ownNumber, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const QUERY_CHARACTERS_MAX = 128;

export const filterChecks: readonly Check[] = [
  must(
    20,
    'A thread is found by name, company, e-mail address and note of its contact.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { number } = await ownNumber(company);
      const { customer } = await incomingText(company, context.sandbox, number);
      const [name, firm, email, note] = [freshWord(), freshWord(), freshWord(), freshWord()];
      const contact = {
        phone: customer,
        name,
        company_name: firm,
        email: `${email}@example.com`,
        note: `Knows ${note}.`,
      };
      await company.post('/contacts', contact).gives(201);
      for (const word of [name, firm, email, note, name.toUpperCase()])
        await eventually(`the thread is found by ${word}`, () =>
          company.get(`/inbox?query=${word}`).gives(200, { threads: [{ phone_number: customer }] }),
        );
      await company.get(`/inbox?query=${freshWord()}`).gives(200, { threads: [] });
    },
  ),

  must(
    21,
    'A thread is found by a part of its number, with spaces and punctuation too.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const { customer } = await incomingText(company, context.sandbox, number);
      const digits = customer.slice(3);
      const written = `(${digits.slice(0, 2)}) ${digits.slice(2, 4)}-${digits.slice(4, 6)}.${digits.slice(6)}`;
      for (const query of [customer, digits, customer.slice(-6), written])
        await company
          .get(`/inbox?business_number_id=${id}&query=${coded(query)}`)
          .gives(200, { threads: [{ phone_number: customer }] });
      await company.get(`/inbox?business_number_id=${id}&query=${freshPhone().slice(3)}`).gives(200, { threads: [] });
    },
  ),

  must(22, 'A thread is not found by what was said in it.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await ownNumber(company);
    const word = freshWord().replaceAll(/\d/g, 'x');
    await incomingText(company, sandbox, number, word);
    await company.get(`/inbox?query=${word}`).gives(200, { threads: [] });
  }),

  must(23, 'A query has up to 128 characters.', { ...ENDPOINTS, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const query = 'q'.repeat(QUERY_CHARACTERS_MAX);
    await company.get(`/inbox?query=${query}`).gives(200, { threads: [] });
    await company.get(`/inbox?query=${query}q`).isRefused(422);
  }),

  must(24, 'With `unseen`, there are only threads with unseen items.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const [read, unread] = [await incomingText(company, sandbox, number), await incomingText(company, sandbox, number)];
    await threadsOf(company, id, 2);
    const { observed_at: through } = await company.get(`/inbox/${coded(read.customer)}/activity`).gives(200);
    await markSeen(company, read.customer, { through }).givesNothing();
    await eventually('the thread that was read is gone', () =>
      company
        .get(`/inbox?business_number_id=${id}&unseen=true`)
        .gives(200, { threads: [{ phone_number: unread.customer }] }),
    );
    expect((await threadsOf(company, id, 2)).length, 2, 'the number of all threads');
  }),

  must(25, 'Threads can be read of one business number only.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const [first, second] = [await ownNumber(company), await ownNumber(company)];
    const { customer } = await incomingText(company, sandbox, first.number);
    const other = await incomingText(company, sandbox, second.number);
    expect(await threadsOf(company, first.id), [{ phone_number: customer }], 'the threads of the first number');
    expect(await threadsOf(company, second.id), [{ phone_number: other.customer }], 'those of the second number');
  }),

  must(26, 'An unknown or foreign business number is answered with 404.', ENDPOINTS, async ({ companies }) => {
    const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
    const { id } = await ownNumber(another);
    const customer = freshPhone();
    for (const number of [id, `num_${freshWord()}`]) {
      await company.get(`/inbox?business_number_id=${number}`).isNotFound();
      await company.get(`/inbox/${coded(customer)}/activity?business_number_id=${number}`).isNotFound();
      await markSeen(company, customer, { through: '2026-01-02T03:04:05Z', business_number_id: number }).isNotFound();
    }
  }),

  must(27, 'Filters that are none are refused.', { ...ENDPOINTS, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    for (const query of ['unseen=perhaps', 'limit=many', 'cursor=nonsense', 'unseen=true&cursor=e30.e30'])
      await company.get(`/inbox?${query}`).isRefused(422);
  }),
];
