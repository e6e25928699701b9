import { expect, expectThat } from '../../expectations/expect.ts';
import { callIs, keptAgent, numberOf, openNumber, week } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { calling, speechesOf } from './calling.ts';

const { must } = checksOf('routing');
const FLOWS = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
const NUMBER = { source: 'service-api.md: Business number', profile: 'full' } as const;

export const flowChecks: readonly Check[] = [
  must(1, 'A transfer rings at the employee without a greeting.', FLOWS, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const number = await numberOf(company, [employee]);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    try {
      await phone.answers();
      const { heard } = await customer.hears('party');
      expect(
        heard.some(({ kind }) => kind === 'speech'),
        false,
        'whether the customer heard a greeting',
      );
    } finally {
      await customer.hangUp();
    }
  }),

  must(2, 'A welcome is played before the employee rings.', FLOWS, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const routing = { type: 'WelcomeTransferConfig', welcome: 'Welcome to the bakery.', employee_ids: [employee.id] };
    await calling(context, routing, async (customer) => {
      await phone.answers();
      const { heard } = await customer.hears('party');
      const welcome = heard.findIndex(({ text }) => text === 'Welcome to the bakery.');
      const party = heard.findIndex(({ kind }) => kind === 'party');
      expectThat(welcome >= 0 && welcome < party, `the customer heard ${JSON.stringify(heard)} instead of the welcome`);
    });
  }),

  must(3, 'A rejected caller hears the message, and the call ends.', FLOWS, async (context) => {
    const routing = { type: 'RejectConfig', message: 'We are not here today.' };
    await calling(context, routing, async (customer, company) => {
      await customer.is('ended');
      expect(await speechesOf(customer), ['We are not here today.'], 'what the customer heard');
      await callIs(company, await customer.callId(), { state: 'ended', answered_at: null });
    });
  }),

  must(4, 'A voicemail plays its greeting, then a beep, and records.', FLOWS, async (context) => {
    const routing = { type: 'VoicemailConfig', greeting: 'Please leave a message.' };
    await calling(context, routing, async (customer, company) => {
      const { heard } = await customer.hears('beep');
      const kinds = heard.map(({ kind, text }) => text ?? kind).filter((kind) => kind !== 'ringtone');
      expect(kinds, ['Please leave a message.', 'beep'], 'what the customer heard');
      await callIs(company, await customer.callId(), { state: 'recording', answered_at: null });
    });
  }),

  must(
    10,
    'An inactive number takes no calls.',
    { source: 'local-stack.md: Operator API', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const { id, number } = await openNumber(company, {
        incoming_call_config: { type: 'RejectConfig', message: 'No.' },
      });
      await context.operator.patch(`/business_numbers/${id}`, { active: false }).gives(200);
      const customer = await context.sandbox.call(freshPhone(), number);
      await customer.is('ended');
      expect(await speechesOf(customer), [], 'what the customer heard');
      await company.get(`/calls?main_number_id=${id}`).gives(200, { calls: [] });
    },
  ),

  must(11, 'On a closed day the routing outside business hours takes the call.', NUMBER, async (context) => {
    const company = await context.companies.shared();
    const number = await company.number({ incoming_call_config: { type: 'RejectConfig', message: 'Open.' } });
    const path = `/business_numbers/${number.id}/outside_business_hours_config`;
    const outside = { type: 'RejectConfig', message: 'We are closed.', business_hours: week(false) };
    await company.put(path, outside).gives(200);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    await customer.is('ended');
    expect(await speechesOf(customer), ['We are closed.'], 'what the customer heard on a closed day');
    await company.put(path, { type: 'RejectConfig', message: 'We are closed.', business_hours: week(true) }).gives(200);
    const second = await context.sandbox.call(freshPhone(), number.number);
    await second.is('ended');
    expect(await speechesOf(second), ['Open.'], 'what the customer heard on an open day');
  }),

  must(12, 'Without a routing outside business hours the incoming one takes the call.', NUMBER, async (context) => {
    const company = await context.companies.shared();
    const number = await company.number({ incoming_call_config: { type: 'RejectConfig', message: 'At any time.' } });
    await company
      .put(`/business_numbers/${number.id}/outside_business_hours_config`, { type: null, business_hours: week(false) })
      .gives(200);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    await customer.is('ended');
    expect(await speechesOf(customer), ['At any time.'], 'what the customer heard');
  }),

  must(13, 'A change of the routing is effective for the next call.', FLOWS, async (context) => {
    const company = await context.companies.shared();
    const number = await openNumber(company, { incoming_call_config: { type: 'RejectConfig', message: 'Before.' } });
    await company
      .put(`/business_numbers/${number.id}/incoming_call_config`, { type: 'RejectConfig', message: 'After.' })
      .gives(200);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    await customer.is('ended');
    expect(await speechesOf(customer), ['After.'], 'what the customer heard');
  }),
];
