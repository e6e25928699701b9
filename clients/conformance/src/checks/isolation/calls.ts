import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { prepared } from '../../world/prepared.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { openNumber } from '../open-number.ts';
import { areNotFound, two } from './foreign.ts';

const { must } = checksOf('isolation');
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const callChecks: readonly Check[] = [
  must(40, "Another company's call is not found, nor is it in the list.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { number } = await openNumber(company, { type: 'RejectConfig', message: 'We have moved.' });
    const phone = freshPhone();
    const leg = await context.sandbox.call(phone, number);
    const id = await leg.callId();
    await leg.hangUp();
    await company.get(`/calls/${id}`).gives(200, { id });
    await areNotFound(stranger, id, [
      ['GET', '/calls/:id'],
      ['PATCH', '/calls/:id', { note: 'Mine' }],
      ['POST', '/calls/:id/transfers', { employee_id: stranger.owner.id }],
      ['PUT', '/calls/:id/hold', { on: true }],
      ['PUT', '/calls/:id/recording', { paused: true }],
    ]);
    await stranger.get(`/calls?phone_number=${encodeURIComponent(phone)}`).gives(200, { calls: [] });
    await stranger.get(`/inbox/${encodeURIComponent(phone)}/activity`).gives(200, { items: [] });
  }),

  must(41, "Another company's voicemail can be neither read nor changed nor deleted.", STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const { number } = await openNumber(company, { type: 'VoicemailConfig', greeting: 'Hello.' });
    const phone = freshPhone();
    const leg = await context.sandbox.call(phone, number);
    await leg.hears('beep');
    await leg.say('Call me back');
    await leg.hangUp();
    const { id } = await eventually('the voicemail is there', async () => {
      const { voicemails } = await prepared(company.get('/voicemails'), 200);
      const found = voicemails.find(({ from }: { from: string }) => from === phone);
      expectThat(found !== undefined, 'it is not listed');
      return found;
    });
    await areNotFound(stranger, id, [
      ['GET', '/voicemails/:id'],
      ['PATCH', '/voicemails/:id', { listened: true }],
      ['DELETE', '/voicemails/:id'],
    ]);
    const { voicemails } = await stranger.get('/voicemails').gives(200);
    expect(
      voicemails.some((one: { id: string }) => one.id === id),
      false,
      'whether the foreign voicemail is listed',
    );
    await company.get(`/voicemails/${id}`).gives(200, { id, from: phone, listened_at: null });
  }),

  must(42, "A call cannot be transferred to another company's employee.", DECIDED, async (context) => {
    const [company, stranger] = await two(context);
    const employee = await company.hire();
    const phone = context.sandbox.phone(employee.id);
    await phone.goes('online');
    const { number } = await openNumber(company, { type: 'TransferConfig', employee_ids: [employee.id] });
    const leg = await context.sandbox.call(freshPhone(), number);
    const id = await leg.callId();
    await phone.answers();
    await eventually('the parties are connected', () => company.get(`/calls/${id}`).gives(200, { state: 'bridged' }));
    await employee.post(`/calls/${id}/transfers`, { employee_id: stranger.owner.id }).isNotFound();
    await employee.get('/calls/active').gives(200, { call: { id }, transfer: null });
    const { employees } = await employee.get('/calls/active').gives(200);
    for (const one of employees)
      expectThat(one.id !== stranger.owner.id, `a foreign employee is a coworker: ${JSON.stringify(one)}`);
    await stranger.get('/calls/active').givesNothing();
    await leg.hangUp();
    await phone.goes('offline');
  }),

  must(43, 'A customer of two companies is in both, each with its own.', STATUSES, async (context) => {
    const [company, stranger] = await two(context);
    const phone = freshPhone();
    const mine = await company.post('/contacts', { phone, name: 'Ours' }).gives(201);
    const [first, second] = [await company.number(), await stranger.number()];
    await context.sandbox.text(phone, first.number, 'To the first');
    await context.sandbox.text(phone, second.number, 'To the second');
    const path = `/inbox/${encodeURIComponent(phone)}/activity`;
    await eventually('the first has its text', () =>
      company.get(path).gives(200, { contact: exactly(mine), items: [{ text: 'To the first' }] }),
    );
    await eventually('the second has its text', () =>
      stranger.get(path).gives(200, { contact: null, items: [{ text: 'To the second' }] }),
    );
  }),
];
