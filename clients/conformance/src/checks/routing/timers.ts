import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { callIs, keptAgent, numberOf, openNumber } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('routing');
const ENDPOINTS = { source: 'service-api.md: Business numbers', profile: 'full', alone: true } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full', alone: true } as const;

export const timerChecks: readonly Check[] = [
  must(50, 'A caller who waited for the time of the number gets its no-answer flow.', ENDPOINTS, async (context) => {
    const { clock, companies, sandbox } = context;
    const company = await companies.shared();
    const employee = await company.hire();
    const [armed, off, ringing] = [
      await numberOf(company, [employee]),
      await numberOf(company, [employee]),
      await numberOf(company, [employee]),
    ];
    const flow = { type: 'RejectConfig', message: 'Nobody is here.' };
    const again = { type: 'TransferConfig', employee_ids: [employee.id] };
    const path = ({ id }: { id: string }) => `/business_numbers/${id}/no_answer_config`;
    await company.put(path(armed), { ...flow, timeout_secs: 30 }).gives(200, { no_answer_timeout_secs: 30 });
    await company
      .put(path(off), { ...flow, timeout_secs: 0 })
      .gives(200, { no_answer_config: { type: 'RejectConfig' } });
    await company.put(path(ringing), { ...again, timeout_secs: 15 }).gives(200);
    const legs = [];
    for (const { number } of [armed, off, ringing]) {
      const leg = await sandbox.call(freshPhone(), number);
      await callIs(company, await leg.callId(), { state: 'queued' });
      legs.push(leg);
    }
    const [armedLeg, offLeg, ringingLeg] = legs;
    await clock.advance(20);
    await callIs(company, await armedLeg!.callId(), { state: 'queued' });
    await clock.advance(15);
    await armedLeg!.hears('speech', 'Nobody is here.');
    await armedLeg!.is('ended');
    // Its flow transfers again, and that waits without a timer.
    await clock.advance(4000);
    await callIs(company, await offLeg!.callId(), { state: 'queued' });
    await callIs(company, await ringingLeg!.callId(), { state: 'queued' });
    for (const leg of [offLeg!, ringingLeg!]) await leg.hangUp();
  }),

  must(
    51,
    'Who declines a call is passed over for 15 seconds, and the caller goes on waiting.',
    DECIDED,
    async (context) => {
      const company = await context.companies.shared();
      const { employee, phone } = await keptAgent(context, company);
      const number = await numberOf(company, [employee]);
      const customer = await context.sandbox.call(freshPhone(), number.number);
      try {
        const callId = await customer.callId();
        await phone.declines();
        await callIs(company, callId, { state: 'queued', answered_at: null });
        await context.clock.advance(10);
        expect(await phone.legs(), [], 'the legs at the phone after 10 s');
        await context.clock.advance(6);
        await phone.answers();
        await callIs(company, callId, { state: 'bridged' });
      } finally {
        await customer.hangUp();
      }
    },
  ),

  must(52, 'Ten seconds without a key count as a wrong key.', DECIDED, async (context) => {
    const company = await context.companies.shared();
    const option = { digit: '1', action_type: 'PlayMessageConfig', prompt: 'One.' };
    const menu = { type: 'PhoneMenuConfig', welcome: 'Press one.', menu_options: [option] };
    const { number } = await openNumber(company, { incoming_call_config: menu });
    const customer = await context.sandbox.call(freshPhone(), number);
    for (let played = 1; played <= 4; played++) {
      await eventually(`the menu is played ${played} times`, async () => {
        const { heard } = await customer.view();
        expect(heard.filter(({ text }) => text === 'Press one.').length, played, 'how often it was played');
      });
      await context.clock.advance(11);
    }
    await customer.is('ended');
  }),
];
