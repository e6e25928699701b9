import { oneOf } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import type { Company } from '../../world/company.ts';

const { must } = checksOf('call-flows');
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const FLOW = { type: 'VoicemailConfig', greeting: 'Nobody answered. Please leave a message.' };
const TIMEOUTS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600];
const OFF = oneOf(null, 0);

async function numberOf(company: Company) {
  const { id } = await company.number();
  const path = `/business_numbers/${id}`;
  const put = (timeout: unknown) => company.put(`${path}/no_answer_config`, { ...FLOW, timeout_secs: timeout });
  return { path, put };
}

export const noAnswerChecks: readonly Check[] = [
  must(50, 'Every allowed time until the no-answer flow is taken.', ROUTING, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    for (const timeout of TIMEOUTS)
      await put(timeout).gives(200, { no_answer_timeout_secs: timeout, no_answer_config: FLOW });
  }),

  must(51, 'Any other time until the no-answer flow is refused.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await numberOf(company);
    await put(60).gives(200);
    for (const timeout of [1, 10, 14, 16, 20, 40, 45, 50, 900, 3601, 7200, -15, 15.5, 'soon', [15], {}])
      await put(timeout).isRefused(422, { field: 'timeout_secs' });
    await company.get(path).gives(200, { no_answer_timeout_secs: 60 });
  }),

  must(52, 'Null, 0 and a blank text switch the no-answer flow off.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await numberOf(company);
    for (const timeout of [null, 0, '']) {
      await put(30).gives(200, { no_answer_timeout_secs: 30 });
      await put(timeout).gives(200, { no_answer_timeout_secs: OFF });
      await company.get(path).gives(200, { no_answer_timeout_secs: OFF });
    }
  }),

  must(
    53,
    'A no-answer flow that is switched off is kept.',
    { ...ROUTING, source: 'decisions.md: Resources' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { path, put } = await numberOf(company);
      await put(null).gives(200, { no_answer_config: FLOW });
      await company.get(path).gives(200, { no_answer_config: FLOW, no_answer_timeout_secs: OFF });
    },
  ),

  must(54, 'The no-answer flow is cleared with the type null.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await numberOf(company);
    await put(30).gives(200);
    await company.put(`${path}/no_answer_config`, { type: null }).gives(200, { no_answer_config: null });
    await company.get(path).gives(200, { no_answer_config: null });
  }),
];
