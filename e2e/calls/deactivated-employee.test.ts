import { beforeAll, describe, expect, it } from '@jest/globals';
import { succeeded } from '../support/api.ts';
import { type Employee, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

let fixture: PhoneCompany;
let ada: Employee;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', true);
});

const deactivate = ({ id }: Employee) => succeeded(fixture.company.call('PUT', `/employees/${id}/deactivation`));
const reactivate = ({ id }: Employee) => succeeded(fixture.company.call('DELETE', `/employees/${id}/deactivation`));
const numberOf = (...employees: Employee[]) =>
  fixture.number({ type: 'TransferConfig', employee_ids: employees.map(({ id }) => id) });
const statusOf = async ({ id }: Employee) => (await fixture.company.call('GET', `/employees/${id}`)).body.status;

describe('an employee who is deactivated', () => {
  it('an employee who is deactivated leaves the conversation, as one who is removed, and stays in routing', async () => {
    const bob = await fixture.hire('Bob', true);
    const number = await numberOf(bob);
    const call = await fixture.talk(number, bob);
    const { body } = await deactivate(bob);
    expect(body).toMatchObject({ id: bob.id, active: false, deactivated_at: expect.any(String) });
    await fixture.waitUntilIdle(bob);
    await fixture.legState(call.legId, 'ended');
    await fixture.state(call.callId, 'ended');
    expect(await statusOf(bob)).toBe('logged_out');
    const { body: routing } = await fixture.company.call('GET', `/business_numbers/${fixture.numberId(number)}`);
    expect(routing.incoming_call_config.employee_ids).toEqual([bob.id]);
  });

  it('an employee who is deactivated stops being rung, and the next caller does not ring them either', async () => {
    const bob = await fixture.hire('Bob', true);
    const number = await numberOf(ada, bob);
    const legId = await fixture.dial(number);
    const callId = await fixture.callOf(legId);
    await Promise.all([fixture.rings(ada), fixture.rings(bob)]);
    await deactivate(bob);
    await fixture.waitUntilIdle(bob);
    await fixture.answer(ada);
    await fixture.state(callId, 'bridged');
    await fixture.over({ legId, callId });
    // A phone of the sandbox registers without a credential: that does not make it theirs again.
    await fixture.sandbox('PUT', `/phones/${bob.id}`, { online: false });
    await fixture.status(ada, 'available');
    const next = await fixture.dial(number, '+4520304051');
    const nextId = await fixture.callOf(next);
    await fixture.rings(ada);
    await fixture.waitUntilIdle(bob);
    expect(await statusOf(bob)).toBe('logged_out');
    await fixture.answer(ada);
    await fixture.state(nextId, 'bridged');
    await fixture.over({ legId: next, callId: nextId });
  });

  it('an employee who is deactivated is not rung at the phone that calls are forwarded to', async () => {
    const bob = await fixture.hire('Bob', true);
    const forwardTo = '+4520995511';
    await succeeded(fixture.company.call('PATCH', `/employees/${bob.id}`, { forward_to: forwardTo }));
    await fixture.sandbox('PUT', `/phones/${bob.id}`, { online: false });
    await fixture.status(bob, 'available');
    await deactivate(bob);
    expect(await statusOf(bob)).toBe('logged_out');
    const explained = await succeeded(
      fixture.company.call('GET', `/business_numbers/${fixture.numberId(await numberOf(bob))}/route_explanation`),
    );
    expect(explained.body.employees).toEqual([
      expect.objectContaining({ id: bob.id, would_ring: false, reason: 'deactivated' }),
    ]);
    await reactivate(bob);
    await fixture.status(bob, 'available');
  });

  it('an employee who is deactivated is no target of transfers: an open one ends, another one cannot be rung', async () => {
    const bob = await fixture.hire('Bob', true);
    const number = await numberOf(ada);
    await fixture.status(ada, 'available');
    const call = await fixture.talk(number, ada);
    const transferTo = () => ada.call('POST', `/calls/${call.callId}/transfers`, { employee_id: bob.id });
    expect((await transferTo()).status).toBe(201);
    await fixture.rings(bob);
    await deactivate(bob);
    await fixture.waitUntilIdle(bob);
    await fixture.state(call.callId, 'bridged');
    const refused = await transferTo();
    expect([refused.status, refused.body.code]).toEqual([409, 'target_unavailable']);
    await fixture.over(call);
  });

  it('an employee who is deactivated is rung again once reactivated and registered', async () => {
    const bob = await fixture.hire('Bob', true);
    const number = await numberOf(bob);
    await deactivate(bob);
    await reactivate(bob);
    await fixture.online(bob, false);
    await fixture.online(bob);
    await fixture.over(await fixture.talk(number, bob));
  });
});
