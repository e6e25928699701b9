import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { succeeded } from '../support/api.ts';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let bob: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  [ada, bob] = [await fixture.hire('Ada', false), await fixture.hire('Bob', false)];
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id, bob.id] });
});

const arrive = async (from: string) => {
  const legId = await fixture.dial(number, from);
  return { legId, callId: await fixture.callOf(legId) };
};

const setDoNotDisturb = (enabled: boolean) =>
  succeeded(fixture.company.call('PUT', `/employees/${ada.id}/do_not_disturb`, { enabled }));

describe('the wait queue', () => {
  it('the wait queue is served in order of arrival by employees who become available', async () => {
    const [first, second] = [await arrive('+4520000001'), await arrive('+4520000002')];
    expect(await fixture.state(second.callId, 'queued')).toMatchObject({ queue_position: 2 });
    const waiting = await fixture.call(first.callId);
    expect(waiting).toMatchObject({ queue_position: 1, waiting_secs: Math.floor(waiting.waiting_secs) });
    const live = async () => (await succeeded(fixture.company.call('GET', '/reports/live'))).body;
    const { numbers, employees } = await live();
    expect(numbers[0].waiting).toMatchObject([
      { call_id: first.callId, from: '+4520000001', contact: null, position: 1 },
      { call_id: second.callId, position: 2 },
    ]);
    expect(employees.find(({ id }: Employee) => id === ada.id)).toMatchObject({ status: 'logged_out', call: null });
    await fixture.sandbox('PUT', `/phones/${ada.id}`, { online: true });
    expect((await fixture.rings(ada)).call_id).toBe(first.callId);
    await fixture.answer(ada);
    expect(await fixture.state(first.callId, 'bridged')).toMatchObject({ queue_position: null, waiting_secs: null });
    expect(await fixture.call(second.callId)).toMatchObject({ state: 'queued', queue_position: 1 });
    const later = await live();
    expect(later.numbers).toMatchObject([{ in_conversation: 1, ringing: 0, waiting: [{ position: 1 }] }]);
    const talking = { id: first.callId, with: '+4520000001' };
    expect(later.employees.find(({ id }: Employee) => id === ada.id)).toMatchObject({
      status: 'on_call',
      call: talking,
    });
    expect((await bob.call('GET', '/reports/live')).body.employees.map(({ id }: Employee) => id)).toEqual([bob.id]);
    await fixture.over(first);
    expect((await fixture.rings(ada)).call_id).toBe(second.callId);
    await fixture.over(second);
    await fixture.waitUntilIdle(ada);
  });

  it('the wait queue stops ringing for an employee on do-not-disturb', async () => {
    const { legId, callId } = await arrive('+4520000004');
    await fixture.rings(ada);
    await setDoNotDisturb(true);
    await fixture.waitUntilIdle(ada);
    await fixture.state(callId, 'queued');
    await setDoNotDisturb(false);
    await fixture.over({ legId, callId });
  });
});

describe('call waiting', () => {
  it('call waiting offers a second call in a conversation; who takes it has the first one on hold', async () => {
    const gus = await fixture.hire('Gus', true);
    const busy = await fixture.number({ type: 'TransferConfig', employee_ids: [gus.id] });
    const first = await fixture.talk(busy, gus);
    const secondLeg = await fixture.dial(busy, '+4520000006');
    const second = { legId: secondLeg, callId: await fixture.callOf(secondLeg) };
    await fixture.state(second.callId, 'queued');
    // A member's own setting, which takes effect with the next look at the queue.
    expect((await gus.call('PATCH', `/employees/${gus.id}`, { call_waiting: true })).body.call_waiting).toBe(true);
    expect((await fixture.rings(gus)).call_id).toBe(second.callId);
    expect((await gus.call('GET', `/employees/${gus.id}`)).body.status).toBe('on_call');
    await fixture.answer(gus);
    await fixture.state(second.callId, 'bridged');
    await fixture.legState(first.legId, 'on_hold');
    expect((await gus.call('GET', '/calls/active')).body.call.id).toBe(second.callId);
    expect((await gus.call('PUT', `/calls/${first.callId}/hold`, { on: false })).body.on_hold).toBe(false);
    await fixture.legState(second.legId, 'on_hold');
    await fixture.over(second);
    expect(await fixture.call(first.callId)).toMatchObject({ state: 'bridged', on_hold: false });
    await fixture.over(first);
    await fixture.status(gus, 'available');
  });
});

describe('the ring strategy', () => {
  it('in_order rings one employee after the other', async () => {
    const [eva, finn] = [await fixture.hire('Eva', true), await fixture.hire('Finn', true)];
    const inTurn = await fixture.number({ type: 'TransferConfig', employee_ids: [eva.id, finn.id] });
    const path = `/business_numbers/${fixture.numberId(inTurn)}`;
    const updated = await succeeded(fixture.company.call('PATCH', path, { ring_strategy: 'in_order' }));
    expect(updated.body.ring_strategy).toBe('in_order');
    expect((await fixture.company.call('PATCH', path, { ring_strategy: 'random' })).status).toBe(422);
    const legId = await fixture.dial(inTurn, '+4520000005');
    const callId = await fixture.callOf(legId);
    await fixture.rings(eva);
    expect((await fixture.phone(finn)).legs).toEqual([]);
    await fixture.decline(eva);
    await fixture.answer(finn);
    expect(await fixture.state(callId, 'bridged')).toMatchObject({ employees: [{ id: finn.id, name: 'Finn' }] });
    await fixture.over({ legId, callId });
  });
});

describe('a caller who asks to be called back', () => {
  it('a caller who asks to be called back keeps the place, and is called when an employee has answered', async () => {
    const eva = await fixture.hire('Eva', false);
    const busy = await fixture.number(
      { type: 'TransferConfig', employee_ids: [eva.id] },
      { details: { language: 'en' } },
    );
    const settings = { callback_offer: true };
    await succeeded(fixture.company.call('PATCH', `/business_numbers/${fixture.numberId(busy)}`, settings));
    const customer = `+4542${String(process.pid % 1_000_000).padStart(6, '0')}`;
    const legId = await fixture.dial(busy, customer);
    const callId = await fixture.callOf(legId);
    await fixture.state(callId, 'queued');
    await fixture.press(legId, '1');
    await fixture.legState(legId, 'ended');
    const waiting = await fixture.call(callId);
    expect(waiting).toMatchObject({ state: 'queued', queue_position: 1, callback: { state: 'waiting' } });
    const { numbers } = (await succeeded(fixture.company.call('GET', '/reports/live'))).body;
    const own = numbers.find(({ id }: { id: string }) => id === fixture.numberId(busy));
    expect(own.waiting).toMatchObject([{ call_id: callId, callback: { requested_at: waiting.callback.requested_at } }]);
    await fixture.sandbox('PUT', `/phones/${eva.id}`, { online: true });
    await fixture.answer(eva);
    const back = await waitUntil(
      async () => {
        const { body } = await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(customer)}/legs`);
        return (body as { leg_id: string; state: string }[]).find(({ state }) => state === 'ringing')?.leg_id;
      },
      { what: 'the customer is called', timeoutMs: LIMIT_MS },
    );
    expect((await fixture.leg(back)).from).toBe(busy);
    expect((await fixture.call(callId)).callback.state).toBe('calling');
    await fixture.sandbox('POST', `/legs/${back}/answer`);
    expect(await fixture.state(callId, 'bridged')).toMatchObject({
      callback: { state: 'connected' },
      employees: [{ id: eva.id }],
    });
    await fixture.hangUp(back);
    await fixture.state(callId, 'ended');
    const events = await fixture.events(callId, 'call.ended');
    expect(events).toEqual(['call.initiated', 'call.queued', 'call.answered', 'call.ended']);
  });
});
