import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { Failure } from '../../expectations/failure.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import type { Sandbox } from '../../world/sandbox.ts';
import { type Check, checksOf } from '../check.ts';
import { REPLY, numberOf, replyingNumber, sentTexts } from './number.ts';

const { must } = checksOf('texting');
const OPT_OUT = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;
const TEXTING = { messaging: true };

const send = (company: Company, id: string, to: string) =>
  company.post(`/business_numbers/${id}/messages`, { to, text: 'Hello.', idempotency_key: freshWord() });

/** A customer texts a word, and has been answered. */
async function says(sandbox: Sandbox, customer: string, number: string, word: string, answers: number): Promise<void> {
  await sandbox.text(customer, number, word);
  await sentTexts(sandbox, number, customer, answers);
}

export const optOutChecks: readonly Check[] = [
  must(50, 'Who texted STOP gets one confirmation, and no text after it.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await numberOf(company);
    const customer = freshPhone();
    await says(sandbox, customer, number, 'STOP', 1);
    await send(company, id, customer).isRefused(422, { code: 'recipient_opted_out' });
    expect((await sandbox.textsTo(customer)).length, 1, 'the number of texts to the customer');
  }),

  must(51, 'The confirmation of STOP has an automation as its author.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await numberOf(company);
    const customer = freshPhone();
    await sandbox.text(customer, number, 'STOP');
    await eventually('the confirmation is in the history', () =>
      company.get(`/inbox/${encodeURIComponent(customer)}/activity`).gives(200, {
        items: [
          { direction: 'outbound', author: { type: 'automation' } },
          { direction: 'inbound', text: 'STOP' },
        ],
      }),
    );
  }),

  must(52, 'Who texted START after STOP is texted again.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await numberOf(company);
    const customer = freshPhone();
    await says(sandbox, customer, number, 'STOP', 1);
    await send(company, id, customer).isRefused(422, { code: 'recipient_opted_out' });
    await says(sandbox, customer, number, 'START', 2);
    await send(company, id, customer).gives(201, { to: customer });
  }),

  must(53, 'HELP is answered, and is no opt-out.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await numberOf(company);
    const customer = freshPhone();
    await says(sandbox, customer, number, 'HELP', 1);
    await send(company, id, customer).gives(201);
  }),

  must(54, 'STOP concerns the business number that it was sent to, and only who sent it.', OPT_OUT, async (context) => {
    const { companies, sandbox } = context;
    const company = await companies.shared(TEXTING);
    const [first, second] = [await numberOf(company), await numberOf(company)];
    const customer = freshPhone();
    await says(sandbox, customer, first.number, 'STOP', 1);
    await send(company, second.id, customer).gives(201);
    await send(company, first.id, freshPhone()).gives(201);
  }),

  must(55, 'The usual words for STOP work too, in any case.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await numberOf(company);
    for (const word of ['stop', 'Unsubscribe', 'CANCEL', ' Stop ']) {
      const customer = freshPhone();
      await says(sandbox, customer, number, word, 1);
      await send(company, id, customer).isRefused(422, { code: 'recipient_opted_out' });
    }
  }),

  must(56, 'A sentence with the word stop in it is no opt-out.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await numberOf(company);
    const customer = freshPhone();
    await sandbox.text(customer, number, 'Where does the bus stop?');
    await eventually('the text is there', async () => {
      const { threads } = await company.get(`/inbox?business_number_id=${id}`).gives(200);
      if (threads.length === 0) throw new Failure('there is no thread');
    });
    await send(company, id, customer).gives(201);
  }),

  must(57, 'Who opted out gets no auto-reply.', OPT_OUT, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { number } = await replyingNumber(company);
    const [customer, other] = [freshPhone(), freshPhone()];
    await says(sandbox, customer, number, 'STOP', 1);
    await sandbox.text(customer, number, 'Are you there?');
    await says(sandbox, other, number, 'Are you there?', 1);
    const texts = await sentTexts(sandbox, number, customer, 1);
    expect(texts.includes(REPLY) || texts.length > 1, false, `whether ${JSON.stringify(texts)} has an auto-reply`);
  }),
];
