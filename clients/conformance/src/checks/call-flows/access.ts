import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { SLOTS } from './flow.ts';

const { must } = checksOf('call-flows');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const FLOW = { type: 'RejectConfig', message: 'Closed.', timeout_secs: 15 };

export const accessChecks: readonly Check[] = [
  must(
    80,
    'The flows of an unknown business number are answered with 404.',
    { ...STATUSES, profile: 'api' },
    async (context) => {
      const company = await context.companies.shared();
      const path = `/business_numbers/num_${freshWord()}`;
      for (const slot of SLOTS) await company.put(`${path}/${slot}`, FLOW).isNotFound();
    },
  ),

  must(81, "The flows of another company's business number cannot be set.", STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.number();
    for (const slot of SLOTS) await another.put(`/business_numbers/${id}/${slot}`, FLOW).isNotFound();
    await company.get(`/business_numbers/${id}`).gives(200, {
      incoming_call_config: { type: 'TransferConfig' },
      outside_business_hours_config: { type: 'VoicemailConfig' },
      no_answer_config: null,
    });
  }),

  must(
    82,
    'Flows need a credential.',
    { source: 'service-api.md: API keys', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { id } = await company.number();
      for (const slot of SLOTS)
        await company.withHeaders({}).put(`/business_numbers/${id}/${slot}`, FLOW).isRefused(401);
    },
  ),

  must(83, 'A member sets no flows.', { source: 'people.md: Roles', profile: 'full' }, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const member = await company.hire({ role: 'member' });
    for (const slot of SLOTS)
      await member.put(`/business_numbers/${id}/${slot}`, FLOW).isRefused(403, { code: 'forbidden' });
  }),
];
