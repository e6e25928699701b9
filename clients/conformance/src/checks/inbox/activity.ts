import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { exactly, microTimestamp, nullable, text } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { MESSAGE } from '../messages/message.ts';
import { activityPath, incomingText, itemsOf, ownNumber, send, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const ITEM = { source: 'service-api.md: Inbox thread and activity item', profile: 'full' } as const;

export const activityChecks: readonly Check[] = [
  must(
    60,
    'An unknown number has an empty activity, and gets no contact.',
    { ...ENDPOINTS, profile: 'api' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const customer = freshPhone();
      await company.get(activityPath(customer)).gives(200, {
        phone_number: customer,
        contact: null,
        items: [],
        next_cursor: null,
        observed_at: microTimestamp,
      });
      await company.get(`/contacts?phone=${encodeURIComponent(customer)}`).gives(200, []);
    },
  ),

  must(
    61,
    'The activity has the messages with all their fields, newest first.',
    ITEM,
    async ({ companies, sandbox }) => {
      const company = await companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const { customer } = await incomingText(company, sandbox, number, 'Question');
      await send(company, id, customer, 'Answer').gives(201);
      const items = await itemsOf(company, customer, 2);
      const common = { ...MESSAGE, business_number_id: id };
      expect(
        items,
        [
          { ...common, direction: 'outbound', text: 'Answer', from: number, to: customer },
          { ...common, direction: 'inbound', text: 'Question', from: customer, to: number, seen_at: null },
        ],
        'the items',
      );
    },
  ),

  must(62, 'Reading the activity marks nothing as seen.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const { customer } = await incomingText(company, sandbox, number);
    for (let count = 0; count < 2; count++)
      await company.get(activityPath(customer)).gives(200, { items: [{ seen_at: null }] });
    expect(await threadsOf(company, id), [{ unseen_count: 1 }], 'the threads');
  }),

  must(
    63,
    'The contact of an activity is the full contact.',
    { ...ITEM, source: 'decisions.md: Resources' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const customer = freshPhone();
      const contact = await company
        .post('/contacts', { phone: customer, name: 'Bo', email: 'bo@example.com' })
        .gives(201);
      await eventually('the activity has the contact', () =>
        company.get(activityPath(customer)).gives(200, { contact: exactly(contact) }),
      );
    },
  ),

  must(64, 'A national number in the path is read with the country of the company.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared({ ...TEXTING, country: 'DK' });
    const { number } = await ownNumber(company);
    const { customer } = await incomingText(company, context.sandbox, number);
    await company
      .get(activityPath(customer.slice(3)))
      .gives(200, { phone_number: customer, items: [{ from: customer }] });
  }),

  must(65, 'A number in the path that is none is refused.', { ...ENDPOINTS, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    for (const path of ['nobody', '+45', '{"$ne":1}']) await company.get(activityPath(path)).isRefused(422);
  }),

  must(66, 'The activity can be read of one business number only.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const [first, second] = [await ownNumber(company), await ownNumber(company)];
    const { customer } = await incomingText(company, sandbox, first.number, 'To the first');
    await sandbox.text(customer, second.number, 'To the second');
    await itemsOf(company, customer, 2);
    await company
      .get(activityPath(customer, `?business_number_id=${second.id}`))
      .gives(200, { items: [{ text: 'To the second', business_number_id: second.id }] });
  }),

  must(67, 'A number in the path wins over one in the query.', ENDPOINTS, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await ownNumber(company);
    const [{ customer }, other] = [
      await incomingText(company, sandbox, number),
      await incomingText(company, sandbox, number),
    ];
    await company
      .get(activityPath(customer, `?phone_number=${encodeURIComponent(other.customer)}`))
      .gives(200, { phone_number: customer, items: [{ from: customer }], contact: nullable({ name: text }) });
  }),
];
