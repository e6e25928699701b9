import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { someText } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { activityPath, incomingText, itemsOf, markSeen, ownNumber, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const RULES = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const LEGACY = { source: 'decisions.md: Messages and inbox', profile: 'full' } as const;

export const seenChecks: readonly Check[] = [
  must(80, 'What was observed is marked as seen, for the whole team, and may be so again.', RULES, async (context) => {
    const company = await context.companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const { customer } = await incomingText(company, context.sandbox, number);
    const { observed_at: through } = await company.get(activityPath(customer)).gives(200);
    for (let count = 0; count < 2; count++) await markSeen(company, customer, { through }).givesNothing();
    const member = await company.hire({ role: 'member' });
    await eventually('the text is seen', () =>
      member.get(activityPath(customer)).gives(200, { items: [{ seen_at: someText }] }),
    );
    await eventually('nothing is unseen', async () =>
      expect(await threadsOf(member, id), [{ unseen_count: 0 }], 'the threads'),
    );
  }),

  must(81, 'What came after the observation stays unseen.', RULES, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const { id, number } = await ownNumber(company);
    const { customer } = await incomingText(company, sandbox, number, 'Early');
    const { observed_at: through } = await company.get(activityPath(customer)).gives(200);
    await sandbox.text(customer, number, 'Late');
    await itemsOf(company, customer, 2);
    await markSeen(company, customer, { through }).givesNothing();
    await eventually('the early text alone is seen', () =>
      company.get(activityPath(customer)).gives(200, {
        items: [
          { text: 'Late', seen_at: null },
          { text: 'Early', seen_at: someText },
        ],
      }),
    );
    expect(await threadsOf(company, id), [{ unseen_count: 1 }], 'the threads');
  }),

  must(
    82,
    'All items up to the observation are seen, also those of pages that nobody has read.',
    RULES,
    async (context) => {
      const company = await context.companies.shared(TEXTING);
      const { id, number } = await ownNumber(company);
      const { customer } = await incomingText(company, context.sandbox, number);
      for (let count = 0; count < 3; count++) await context.sandbox.text(customer, number, `Text ${count}`);
      await itemsOf(company, customer, 4);
      const { observed_at: through } = await company.get(activityPath(customer, '?limit=1')).gives(200);
      await markSeen(company, customer, { through }).givesNothing();
      await eventually('nothing is unseen', async () =>
        expect(await threadsOf(company, id), [{ unseen_count: 0 }], 'the threads'),
      );
    },
  ),

  must(83, 'With a business number, only what is of it is seen.', RULES, async ({ companies, sandbox }) => {
    const company = await companies.shared(TEXTING);
    const [first, second] = [await ownNumber(company), await ownNumber(company)];
    const { customer } = await incomingText(company, sandbox, first.number);
    await sandbox.text(customer, second.number, 'To the second');
    await itemsOf(company, customer, 2);
    const { observed_at: through } = await company.get(activityPath(customer)).gives(200);
    await markSeen(company, customer, { through, business_number_id: first.id }).givesNothing();
    await eventually('the first number has nothing unseen', async () =>
      expect(await threadsOf(company, first.id), [{ unseen_count: 0 }], 'the threads of the first number'),
    );
    expect(await threadsOf(company, second.id), [{ unseen_count: 1 }], 'the threads of the second number');
  }),

  must(
    84,
    'A boundary that is missing, no time, or in the future is refused.',
    RULES,
    async ({ companies, sandbox, clock }) => {
      const company = await companies.shared(TEXTING);
      const { number } = await ownNumber(company);
      const { customer } = await incomingText(company, sandbox, number);
      const future = new Date((await clock.now()).getTime() + 3_600_000).toISOString();
      for (const through of [undefined, null, '', 'yesterday', '2026-13-40T00:00:00Z', 1_700_000_000, {}, future])
        await markSeen(company, customer, { through }).isRefused(422);
      await company.get(activityPath(customer)).gives(200, { items: [{ seen_at: null }] });
    },
  ),

  must(
    85,
    'The thread of another company with the same customer stays unseen.',
    RULES,
    async ({ companies, sandbox }) => {
      const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
      const [ours, theirs] = [await ownNumber(company), await ownNumber(another)];
      const { customer } = await incomingText(company, sandbox, ours.number);
      await sandbox.text(customer, theirs.number, 'To others');
      expect(await itemsOf(another, customer, 1), [{ text: 'To others' }], 'the items of the other company');
      const { observed_at: through } = await company.get(activityPath(customer)).gives(200);
      await markSeen(company, customer, { through }).givesNothing();
      await eventually('our thread is seen', async () =>
        expect(await threadsOf(company, ours.id), [{ unseen_count: 0 }], 'our threads'),
      );
      expect(await threadsOf(another, theirs.id), [{ unseen_count: 1 }], 'their threads');
    },
  ),

  must(
    86,
    'Unseen people are counted for each business number, each of them once.',
    LEGACY,
    async ({ companies, sandbox }) => {
      const company = await companies.fresh(TEXTING);
      const [first, second] = [await ownNumber(company), await ownNumber(company)];
      const { customer } = await incomingText(company, sandbox, first.number);
      await sandbox.text(customer, first.number, 'Again');
      await sandbox.text(customer, second.number, 'Here too');
      await incomingText(company, sandbox, second.number);
      await itemsOf(company, customer, 3);
      await eventually('the counts are there', async () => {
        const { unseen_count, main_numbers } = await company.get('/activity/unseen').gives(200);
        expect(unseen_count, 2, '`unseen_count`');
        const counts = Object.fromEntries(main_numbers.map(({ id, unseen_count: n }: any) => [id, n]));
        expect(counts, { [first.id]: 1, [second.id]: 2 }, 'the counts of the business numbers');
      });
    },
  ),
];
