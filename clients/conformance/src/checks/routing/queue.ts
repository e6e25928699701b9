import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { callIs, hasStatus, keptAgent, newAgent, numberOf } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('routing');
const STATE = { source: 'service-api.md: Call state', profile: 'full' } as const;
const NUMBER = { source: 'service-api.md: Business number', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const queueChecks: readonly Check[] = [
  must(30, 'All available employees ring at once, and stop when one of them answers.', DECIDED, async (context) => {
    const company = await context.companies.shared();
    const [one, other] = [await keptAgent(context, company), await keptAgent(context, company, 'coworker')];
    const number = await numberOf(company, [one.employee, other.employee]);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    try {
      await one.phone.rings();
      await other.phone.rings();
      await other.phone.answers();
      await callIs(company, await customer.callId(), { state: 'bridged', employees: [{ id: other.employee.id }] });
      await eventually('the other phone is quiet', async () => expect(await one.phone.legs(), [], 'its legs'));
    } finally {
      await customer.hangUp();
    }
  }),

  must(31, 'A caller waits while nobody is available, and rings as soon as somebody is.', STATE, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await newAgent(context, company);
    await phone.goes('offline');
    await hasStatus(company, employee.id, 'logged_out');
    const number = await numberOf(company, [employee]);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    try {
      const callId = await customer.callId();
      await callIs(company, callId, { state: 'queued', answered_at: null });
      await phone.goes('online');
      await phone.answers();
      await callIs(company, callId, { state: 'bridged' });
    } finally {
      await customer.hangUp();
      await phone.goes('offline');
    }
  }),

  must(32, 'Callers who wait are served in the order in which they came.', STATE, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await newAgent(context, company);
    await phone.goes('offline');
    await hasStatus(company, employee.id, 'logged_out');
    const number = await numberOf(company, [employee]);
    const customers = [];
    for (let count = 0; count < 2; count++) {
      const customer = await context.sandbox.call(freshPhone(), number.number);
      await callIs(company, await customer.callId(), { state: 'queued' });
      customers.push(customer);
    }
    const [first, second] = customers;
    await phone.goes('online');
    await phone.answers();
    await callIs(company, await first!.callId(), { state: 'bridged' });
    await company.get(`/calls/${await second!.callId()}`).gives(200, { state: 'queued' });
    await first!.hangUp();
    await phone.answers();
    await callIs(company, await second!.callId(), { state: 'bridged' });
    await second!.hangUp();
    await phone.goes('offline');
  }),

  must(33, 'Who is on a call or on do-not-disturb is not rung.', STATE, async (context) => {
    const company = await context.companies.shared();
    const [busy, quiet] = [await keptAgent(context, company), await keptAgent(context, company, 'coworker')];
    const number = await numberOf(company, [busy.employee]);
    const first = await context.sandbox.call(freshPhone(), number.number);
    await busy.phone.answers();
    await callIs(company, await first.callId(), { state: 'bridged' });
    const path = `/employees/${quiet.employee.id}/do_not_disturb`;
    await company.put(path, { enabled: true }).gives(200);
    await hasStatus(company, quiet.employee.id, 'do_not_disturb');
    const both = await numberOf(company, [busy.employee, quiet.employee]);
    const customer = await context.sandbox.call(freshPhone(), both.number);
    try {
      await callIs(company, await customer.callId(), { state: 'queued', employees: [] });
      const ringing = [...(await busy.phone.legs()), ...(await quiet.phone.legs())].filter(
        ({ state }) => state === 'ringing',
      );
      expect(ringing, [], 'the legs that ring');
    } finally {
      await customer.hangUp();
      await first.hangUp();
      await company.put(path, { enabled: false }).gives(200);
    }
  }),

  must(
    34,
    'Do-not-disturb stops a phone that rings, and the caller goes on waiting.',
    { source: 'service-api.md: Employees', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const { employee, phone } = await keptAgent(context, company);
      const number = await numberOf(company, [employee]);
      const customer = await context.sandbox.call(freshPhone(), number.number);
      const path = `/employees/${employee.id}/do_not_disturb`;
      try {
        await phone.rings();
        await company.put(path, { enabled: true }).gives(200);
        await eventually('the phone is quiet', async () => expect(await phone.legs(), [], 'its legs'));
        await callIs(company, await customer.callId(), { state: 'queued', answered_at: null });
        await company.put(path, { enabled: false }).gives(200);
        await phone.answers();
      } finally {
        await customer.hangUp();
        await company.put(path, { enabled: false });
      }
    },
  ),

  must(35, 'A caller who waits hears a ringtone, or music if the number says so.', NUMBER, async (context) => {
    const company = await context.companies.shared();
    const employee = await company.hire();
    for (const [audio, kind] of [
      ['ringtone', 'ringtone'],
      ['music', 'music'],
    ] as const) {
      const number = await numberOf(company, [employee], { wait_audio: audio });
      const customer = await context.sandbox.call(freshPhone(), number.number);
      await callIs(company, await customer.callId(), { state: 'queued' });
      const { heard } = await customer.hears(kind);
      await customer.hangUp();
      const other = kind === 'music' ? 'ringtone' : 'music';
      expectThat(heard.at(-1)?.kind !== other, `the caller waits with ${JSON.stringify(heard)} instead of ${kind}`);
    }
  }),

  must(
    36,
    'A caller who hangs up while a phone rings makes it quiet.',
    { source: 'service-api.md: Call state', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const { employee, phone } = await keptAgent(context, company);
      const number = await numberOf(company, [employee]);
      const customer = await context.sandbox.call(freshPhone(), number.number);
      const callId = await customer.callId();
      await phone.rings();
      await customer.hangUp();
      await callIs(company, callId, { state: 'ended', answered_at: null, employees: [] });
      await eventually('the phone is quiet', async () => expect(await phone.legs(), [], 'its legs'));
    },
  ),
];
