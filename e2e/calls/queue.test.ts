import { beforeAll, describe, expect, it } from '@jest/globals';
import { succeeded } from '../support/api.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

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
  it('is served in order of arrival by employees who become available', async () => {
    const [first, second] = [await arrive('+4520000001'), await arrive('+4520000002')];
    await fixture.state(second.callId, 'queued');
    await fixture.sandbox('PUT', `/phones/${ada.id}`, { online: true });
    expect((await fixture.rings(ada)).call_id).toBe(first.callId);
    await fixture.answer(ada);
    await fixture.state(first.callId, 'bridged');
    expect((await fixture.call(second.callId)).state).toBe('queued');
    await fixture.over(first);
    expect((await fixture.rings(ada)).call_id).toBe(second.callId);
    await fixture.over(second);
    await fixture.waitUntilIdle(ada);
  });

  it('stops ringing for an employee on do-not-disturb', async () => {
    const { legId, callId } = await arrive('+4520000004');
    await fixture.rings(ada);
    await setDoNotDisturb(true);
    await fixture.waitUntilIdle(ada);
    await fixture.state(callId, 'queued');
    await setDoNotDisturb(false);
    await fixture.over({ legId, callId });
  });
});
