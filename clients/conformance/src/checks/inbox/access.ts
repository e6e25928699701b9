import { expect } from '../../expectations/expect.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { activityPath, coded, incomingText, markSeen, ownNumber, TEXTING } from './inbox.ts';

const { must } = checksOf('inbox');
const ISOLATED = { source: 'service-api.md: What the service does', profile: 'full' } as const;

export const accessChecks: readonly Check[] = [
  must(120, "Another company's threads and items are not shown.", ISOLATED, async ({ companies, sandbox }) => {
    const [company, another] = [await companies.shared(TEXTING), await companies.another(TEXTING)];
    const { number } = await ownNumber(company);
    const { customer } = await incomingText(company, sandbox, number);
    await company.get(activityPath(customer)).gives(200, { items: [{ from: customer }] });
    await another.get(activityPath(customer)).gives(200, { items: [], contact: null });
    await another.get(`/inbox?query=${coded(customer)}`).gives(200, { threads: [] });
    const { threads } = await another.get('/inbox?limit=100').gives(200);
    const isShown = threads.some((thread: { phone_number: string }) => thread.phone_number === customer);
    expect(isShown, false, 'whether a foreign thread is listed');
  }),

  must(
    121,
    'The inbox needs a credential.',
    { ...ISOLATED, source: 'service-api.md: API keys', profile: 'api' },
    async (context) => {
      const nobody = (await context.companies.shared(TEXTING)).withHeaders({});
      const customer = freshPhone();
      await nobody.get('/inbox').isRefused(401);
      await nobody.get(activityPath(customer)).isRefused(401);
      await nobody.get('/activity/unseen').isRefused(401);
      await markSeen(nobody, customer, { through: '2026-01-02T03:04:05Z' }).isRefused(401);
    },
  ),
];
