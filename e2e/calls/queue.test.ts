import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let world: PhoneCompany;
let ada: Employee;
let bob: Employee;
let number: string;

beforeAll(async () => {
  world = await openPhoneCompany();
  [ada, bob] = [await world.hire('Ada', false), await world.hire('Bob', false)];
  number = await world.number({ type: 'TransferConfig', employee_ids: [ada.id, bob.id] });
}, 120_000);
afterAll(() => world.sandbox('DELETE', '/clock'));

const arrive = async (from: string) => {
  const legId = await world.dial(number, from);
  return { legId, callId: await world.callOf(legId) };
};

describe('the wait queue', () => {
  it('is served in order of arrival by employees who become available', async () => {
    const [first, second] = [await arrive('+4520000001'), await arrive('+4520000002')];
    await world.state(second.callId, 'queued');
    await world.sandbox('PUT', `/phones/${ada.id}`, { online: true });
    expect((await world.rings(ada)).call_id).toBe(first.callId);
    await world.answer(ada);
    await world.state(first.callId, 'bridged');
    expect((await world.call(second.callId)).state).toBe('queued');
    await world.over(first);
    expect((await world.rings(ada)).call_id).toBe(second.callId);
    await world.over(second);
    await world.quiet(ada);
  }, 180_000);

  it('passes over an employee who declines for 15 seconds, and rings them again after that', async () => {
    const { legId, callId } = await arrive('+4520000003');
    await world.decline(ada);
    await world.state(callId, 'queued');
    await world.quiet(ada);
    await world.advance(16);
    expect((await world.rings(ada)).call_id).toBe(callId);
    await world.over({ legId, callId });
  }, 180_000);

  it('stops ringing for an employee on do-not-disturb', async () => {
    const { legId, callId } = await arrive('+4520000004');
    await world.rings(ada);
    await world.company.call('PUT', `/employees/${ada.id}/do_not_disturb`, { enabled: true });
    await world.quiet(ada);
    await world.state(callId, 'queued');
    await world.company.call('PUT', `/employees/${ada.id}/do_not_disturb`, { enabled: false });
    await world.over({ legId, callId });
  }, 180_000);
});
