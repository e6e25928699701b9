import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { absent, exactly, listOf, nullable, someText, text } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { incomingText, ownNumber, send, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const THREAD = { source: 'service-api.md: Inbox thread and activity item', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;
const PREVIEW_CHARACTERS_MAX = 160;

export const threadChecks: readonly Check[] = [
  must(1, 'The inbox has threads and a cursor.', { ...ENDPOINTS, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const thread = { phone_number: text, contact: nullable({ id: text }), preview: text, latest_item: { id: text } };
    await company.get('/inbox').gives(200, { threads: listOf(thread), next_cursor: nullable(text) });
  }),

  must(2, 'A text of a customer is a thread, with all its fields.', THREAD, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const { customer, item } = await incomingText(company, sandbox, number, 'Is it ready?');
    expect(
      await threadsOf(company, id),
      [
        {
          phone_number: customer,
          contact: null,
          last_activity_at: someText,
          unseen_count: 1,
          business_number_ids: [id],
          reply_business_number_id: id,
          preview: 'Is it ready?',
          latest_item: {
            id: item.id,
            type: 'message',
            format: 'sms',
            status: 'received',
            direction: 'inbound',
            business_number_id: id,
            text: absent,
          },
        },
      ],
      'the threads',
    );
  }),

  must(
    3,
    'The contact of a thread is the full contact, also if it is saved later.',
    { ...THREAD, source: 'decisions.md: Resources' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const { customer } = await incomingText(company, context.sandbox, number);
      const contact = await company.post('/contacts', { phone: customer, name: 'Ane', note: 'Regular' }).gives(201);
      await eventually('the thread has the contact', async () =>
        expect(await threadsOf(company, id), [{ contact: exactly(contact) }], 'the threads'),
      );
      await company.delete(`/contacts/${contact.id}`).givesNothing();
      await eventually('the thread has no contact', async () =>
        expect(await threadsOf(company, id), [{ phone_number: customer, contact: null }], 'the threads'),
      );
    },
  ),

  must(
    4,
    'There is one thread for each customer, the one with the newest activity first.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const [first, second] = [
        await incomingText(company, context.sandbox, number),
        await incomingText(company, context.sandbox, number),
      ];
      expect(
        await threadsOf(company, id, 2),
        [{ phone_number: second.customer }, { phone_number: first.customer }],
        'the threads',
      );
      await send(company, id, first.customer).gives(201);
      await eventually('the thread with the newest activity comes first', async () =>
        expect(
          await threadsOf(company, id),
          [{ phone_number: first.customer }, { phone_number: second.customer }],
          'the threads',
        ),
      );
    },
  ),

  must(5, 'What is sent never counts as unseen.', THREAD, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const customer = freshPhone();
    await send(company, id, customer).gives(201);
    expect(await threadsOf(company, id), [{ unseen_count: 0, latest_item: { direction: 'outbound' } }], 'the threads');
    for (const text of ['One', 'Two']) await sandbox.text(customer, number, text);
    await send(company, id, customer).gives(201);
    await eventually('two texts are unseen', async () =>
      expect(
        await threadsOf(company, id),
        [{ unseen_count: 2, latest_item: { direction: 'outbound' } }],
        'the threads',
      ),
    );
  }),

  must(
    6,
    'A preview has at most 160 characters, of which none is cut in half.',
    DECIDED,
    async ({ companies, sandbox }) => {
      const company = await companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const family = '👨‍👩‍👧‍👦';
      await incomingText(company, sandbox, number, family.repeat(80));
      const [{ preview }] = (await threadsOf(company, id)) as [{ preview: string }];
      const whole = preview.replace(/…$/, '').replaceAll(family, '');
      expectThat(
        [...preview].length <= PREVIEW_CHARACTERS_MAX && preview.startsWith(family) && whole === '',
        `the preview is ${preview} with ${[...preview].length} characters`,
      );
    },
  ),

  must(
    7,
    'A thread has every business number that it was had with, and answers with the latest one.',
    THREAD,
    async (context) => {
      const { companies, sandbox } = context;
      const company = await companies.shared(TEXTING);
      const [first, second] = [await ownNumber(company), await ownNumber(company)];
      const { customer } = await incomingText(company, sandbox, first.number, 'To the first');
      await sandbox.text(customer, second.number, 'To the second');
      await eventually('the thread has both numbers', async () => {
        const { threads } = await company.get(`/inbox?query=${encodeURIComponent(customer)}`).gives(200);
        const ids = threads.map((thread: any) => thread.business_number_ids.toSorted());
        expect(ids, [[first.id, second.id].toSorted()], 'the business numbers of the threads');
        expect(
          threads,
          [{ reply_business_number_id: second.id, unseen_count: 2, preview: 'To the second' }],
          'the threads',
        );
      });
    },
  ),

  must(
    8,
    'With a business number, everything in a thread is of that number.',
    DECIDED,
    async ({ companies, sandbox }) => {
      const company = await companies.shared(TEXTING);
      const [first, second] = [await ownNumber(company), await ownNumber(company)];
      const { customer } = await incomingText(company, sandbox, first.number, 'To the first');
      await sandbox.text(customer, second.number, 'To the second');
      await threadsOf(company, second.id);
      expect(
        await threadsOf(company, first.id),
        [{ unseen_count: 1, preview: 'To the first', latest_item: { business_number_id: first.id } }],
        'the threads of the first number',
      );
    },
  ),

  must(9, 'A number that cannot send is not offered for an answer.', THREAD, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company, { sms: { can_send: false, can_receive: true } });
    await incomingText(company, sandbox, number);
    expect(await threadsOf(company, id), [{ reply_business_number_id: null }], 'the threads');
  }),

  must(10, 'Without texting, texts are not in the inbox.', ENDPOINTS, async ({ companies, operator, sandbox }) => {
    const company = await companies.fresh(TEXTING);
    const { number } = await ownNumber(company);
    const { customer } = await incomingText(company, sandbox, number);
    await company.get('/inbox').gives(200, { threads: [{ phone_number: customer }] });
    await operator.patch(`/companies/${company.id}`, { messaging_enabled: false }).gives(200);
    await company.get('/inbox').gives(200, { threads: [], next_cursor: null });
    await company.get(`/inbox/${encodeURIComponent(customer)}/activity`).gives(200, { items: [] });
  }),
];
