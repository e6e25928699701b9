import { expect } from '../../expectations/expect.ts';
import { text } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { MESSAGE, sender, TEXTING } from './message.ts';

const { must } = checksOf('messages');
const FIELDS = { source: 'service-api.md: Message (SMS text)', profile: 'full' } as const;
const SENDING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;
const TEXT_CHARACTERS_MAX = 10_000;

export const sendingChecks: readonly Check[] = [
  must(1, 'A text that was sent is answered with 201 and the whole message.', DECIDED, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { id, number, name, customer, send } = await sender(company, { name: 'Orders' });
    await send({ text: 'Ready at 5.' }).gives(201, {
      ...MESSAGE,
      business_number_id: id,
      business_number_name: name,
      direction: 'outbound',
      from: number,
      to: customer,
      text: 'Ready at 5.',
      author: { type: 'employee', id: company.owner.id, name: company.owner.name },
      status: 'accepted',
      received_at: null,
      delivered_at: null,
      failure_code: null,
      can_retry: false,
    });
  }),

  must(2, 'A message is read as it was answered when it was sent.', FIELDS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { send } = await sender(company);
    const { updated_at: _, ...sent } = await send().gives(201);
    await company.get(`/messages/${sent.id}`).gives(200, sent);
  }),

  must(3, 'The provider is asked once to send exactly the text that was given.', SENDING, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { number, customer, send } = await sender(company);
    const said = 'Æbler & "pærer" <b>\n東京 🙂 ';
    await send({ text: said }).gives(201, { text: said });
    const texts = await context.sandbox.textsTo(customer);
    expect(texts, [{ provider_id: text, from: number, to: customer, text: said }], 'the texts to the customer');
  }),

  must(4, 'The author of a message is the employee whose credential sent it.', FIELDS, async ({ companies }) => {
    const company = await companies.shared(TEXTING);
    const { send } = await sender(company);
    const member = await company.hire({ role: 'member' });
    const author = { type: 'employee', id: member.id, name: member.name };
    const { id } = await send({}, { as: member }).gives(201, { author });
    await company.get(`/messages/${id}`).gives(200, { author });
  }),

  must(5, 'A recipient in national form is read with the country of the company.', DECIDED, async ({ companies }) => {
    const company = await companies.shared({ ...TEXTING, country: 'DK' });
    const { customer, send } = await sender(company);
    await send({ to: customer.slice(3) }).gives(201, { to: customer });
    await send({ to: `${customer.slice(0, 3)} ${customer.slice(3, 7)} ${customer.slice(7)}` }).gives(201, {
      to: customer,
    });
  }),

  must(6, 'A recipient that is no phone number is refused.', DECIDED, async ({ companies }) => {
    const { send } = await sender(await companies.shared(TEXTING));
    for (const to of [undefined, null, '', 'nobody', '+45', 20304050, { $ne: 1 }])
      await send({ to }).isRefused(422, { field: 'to' });
  }),

  must(7, 'A text has 1 to 10,000 characters.', DECIDED, async ({ companies, sandbox }) => {
    const { customer, send } = await sender(await companies.shared(TEXTING));
    for (const said of [undefined, null, '', 't'.repeat(TEXT_CHARACTERS_MAX + 1), 5, ['Hello']])
      await send({ text: said }).isRefused(422, { field: 'text' });
    expect(await sandbox.textsTo(customer), [], 'the texts to the customer');
    await send({ text: 'K' }).gives(201);
  }),

  must(8, 'The format may be given as `sms`.', SENDING, async ({ companies }) => {
    const { send } = await sender(await companies.shared(TEXTING));
    await send({ format: 'sms' }).gives(201, { format: 'sms' });
  }),

  must(9, 'Any other format is refused before the provider is asked.', SENDING, async ({ companies, sandbox }) => {
    const { customer, send } = await sender(await companies.shared(TEXTING));
    for (const format of ['mms', 'rcs']) await send({ format }).isRefused(422, { code: 'unsupported_format' });
    expect(await sandbox.textsTo(customer), [], 'the texts to the customer');
  }),

  must(10, 'A number that cannot send is refused, before the provider is asked.', DECIDED, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { customer, send } = await sender(company, { sms: { can_send: false, can_receive: true } });
    await send().isRefused(422, { code: 'sending_unavailable' });
    expect(await context.sandbox.textsTo(customer), [], 'the texts to the customer');
  }),

  must(
    11,
    'A client cannot say where the provider reports to.',
    { ...SENDING, source: 'service-api.md: Inbound provider callbacks' },
    async (context) => {
      const { customer, send } = await sender(await context.companies.shared(TEXTING));
      const elsewhere = `https://${freshWord()}.example.com/reports`;
      await send({ status_callback: elsewhere, webhook_url: elsewhere, callback_url: elsewhere }).gives(201);
      const [sent] = await context.sandbox.textsTo(customer);
      const said = JSON.stringify(sent);
      expect(said.includes('.example.com'), false, `whether ${said} has the address of the client`);
      expect(sent, { status_callback: text }, 'what the provider was asked');
    },
  ),

  must(
    12,
    'A contact is not needed for a text, and none is made.',
    { ...SENDING, source: 'service-api.md: Inbox thread and activity item' },
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { customer, send } = await sender(company);
      await send().gives(201);
      await company.get(`/contacts?phone=${encodeURIComponent(customer)}`).gives(200, []);
    },
  ),

  must(13, 'Two texts with the same words are two messages.', SENDING, async ({ companies, sandbox }) => {
    const { customer, send } = await sender(await companies.shared(TEXTING));
    const [first, second] = [await send().gives(201), await send().gives(201)];
    expect(first.id === second.id, false, 'whether the second message has the id of the first');
    expect((await sandbox.textsTo(customer)).length, 2, 'the number of texts to the customer');
  }),
];
