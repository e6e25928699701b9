import { beforeAll, describe, expect, it } from '@jest/globals';
import { succeeded } from '../support/api.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
});

/** An employee whom no number routes to can be removed; one whom it does is taken out of the routing first. */
const routeTo = (...employees: Employee[]) =>
  succeeded(
    fixture.company.call('PUT', `/business_numbers/${fixture.numberId(number)}/incoming_call_config`, {
      type: 'TransferConfig',
      employee_ids: employees.map(({ id }) => id),
    }),
  );
const remove = ({ id }: Employee) => succeeded(fixture.company.call('DELETE', `/employees/${id}`));
const transferTo = (callId: string, target: Employee) =>
  ada.call('POST', `/calls/${callId}/transfers`, { employee_id: target.id });

describe('an employee who is removed', () => {
  it('an employee who is removed leaves the conversation, which ends as when an employee hangs up', async () => {
    const bob = await fixture.hire('Bob', true);
    await routeTo(bob);
    const call = await fixture.talk(number, bob);
    await routeTo(ada);
    await remove(bob);
    await fixture.waitUntilIdle(bob);
    await fixture.legState(call.legId, 'ended');
    await fixture.state(call.callId, 'ended');
  });

  it('an employee who is removed stops being rung; the caller waits on for the others', async () => {
    const bob = await fixture.hire('Bob', true);
    await routeTo(ada, bob);
    const legId = await fixture.dial(number);
    const callId = await fixture.callOf(legId);
    await Promise.all([fixture.rings(ada), fixture.rings(bob)]);
    await routeTo(ada);
    await remove(bob);
    await fixture.waitUntilIdle(bob);
    await fixture.answer(ada);
    await fixture.state(callId, 'bridged');
    await fixture.over({ legId, callId });
  });

  it('an employee who is removed is no target of transfers: an open one ends, another one is not found', async () => {
    const bob = await fixture.hire('Bob', true);
    await fixture.status(ada, 'available');
    const call = await fixture.talk(number, ada);
    expect((await transferTo(call.callId, bob)).status).toBe(201);
    await fixture.rings(bob);
    await remove(bob);
    expect((await transferTo(call.callId, bob)).status).toBe(404);
    await fixture.waitUntilIdle(bob);
    await fixture.state(call.callId, 'bridged');
    expect((await ada.call('GET', '/calls/active')).body).toMatchObject({ transfer: null });
    await fixture.over(call);
  });
});
