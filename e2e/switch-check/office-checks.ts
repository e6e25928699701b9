import assert from 'node:assert/strict';
import {
  type Checks,
  converse,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  expectTone,
  type Given,
  untilEnded,
  TARGET_HERTZ,
} from './check-fixture.ts';
import { pitch } from './pitch.ts';

const transfer = async ({ ada }: Given, callId: string, target: object): Promise<string> => {
  const { status, body, text } = await ada.call('POST', `/calls/${callId}/transfers`, target);
  assert.equal(status, 201, text);
  return body.transfer.id as string;
};

/** Blind transfers, phones outside, call waiting, supervision. */
export const officeChecks: Checks = {
  async 'a blind transfer connects the customer with the target, and the controller is out at once'(given) {
    const { env, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    await transfer(given, callId, { mode: 'blind', employee_id: bob.id });
    await untilEnded(given, employee);
    const target = await env.rings(bobPhone);
    await env.until('the wait audio', () => pitch(customer.audio.received(200), 425) > 0.5);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, target, CUSTOMER_HERTZ);
    await env.company.state(callId, 'bridged');
    await env.company.status(ada, 'available');
    customer.hangUp();
    await untilEnded(given, target);
    await env.company.state(callId, 'ended');
    await env.company.status(bob, 'available');
  },

  async 'a blind transfer that is declined comes back to the controller, then to the queue'(given) {
    const { env, bob, adaPhone, bobPhone } = given;
    const { customer, callId } = await converse(given);
    await transfer(given, callId, { mode: 'blind', employee_id: bob.id });
    (await env.rings(bobPhone)).decline(486);
    const again = await env.rings(adaPhone);
    again.audio.tone(EMPLOYEE_HERTZ);
    again.answer();
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, again, CUSTOMER_HERTZ);
    await env.company.status(bob, 'available');
    await transfer(given, callId, { mode: 'blind', employee_id: bob.id });
    (await env.rings(bobPhone)).decline(603);
    (await env.rings(adaPhone)).decline(603);
    await env.company.state(callId, 'queued');
    await env.until('the wait audio', () => pitch(customer.audio.received(200), 425) > 0.5);
    customer.hangUp();
    await env.company.state(callId, 'ended');
  },

  async 'a transfer to a phone outside, shown as the business number, goes on without an employee'(given) {
    const { env, ada, directNumber } = given;
    const { customer, employee, callId } = await converse(given);
    const id = await transfer(given, callId, { phone_number: '+4520999005' });
    const outside = await env.rings(env.carrier);
    assert.ok(outside.invite?.headers.get('from')?.some((value) => value.includes(directNumber)));
    outside.audio.tone(TARGET_HERTZ);
    outside.answer();
    await expectTone(given, employee, TARGET_HERTZ);
    await env.until('consulting', async () => {
      const { body } = await ada.call('GET', '/calls/active');
      return body?.transfer?.state === 'consulting';
    });
    assert.equal((await ada.call('POST', `/calls/${callId}/transfers/${id}/completion`)).status, 200);
    await untilEnded(given, employee);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, outside, CUSTOMER_HERTZ);
    outside.hangUp();
    await untilEnded(given, customer);
    await env.company.state(callId, 'ended');
    await env.company.status(ada, 'available');
    const next = await converse(given);
    await transfer(given, next.callId, { mode: 'blind', phone_number: '+4520999006' });
    (await env.rings(env.carrier)).decline(486);
    (await env.rings(given.adaPhone)).answer();
    await env.company.state(next.callId, 'bridged');
    next.customer.hangUp();
    await env.company.state(next.callId, 'ended');
  },

  async 'call waiting: the second call is answered, and the first one waits'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    const setting = (on: boolean) => ada.call('PATCH', `/employees/${ada.id}`, { call_waiting: on });
    assert.equal((await setting(true)).status, 200);
    const { customer, employee, callId } = await converse(given);
    const second = await env.dial(directNumber);
    second.audio.tone(TARGET_HERTZ);
    const ringing = await env.rings(adaPhone);
    ringing.audio.tone(EMPLOYEE_HERTZ);
    ringing.answer();
    await expectTone(given, ringing, TARGET_HERTZ);
    await env.until('the wait audio', () => pitch(customer.audio.received(1000), EMPLOYEE_HERTZ) < 0.1);
    second.hangUp();
    await untilEnded(given, ringing);
    assert.equal((await ada.call('PUT', `/calls/${callId}/hold`, { on: false })).status, 200);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await setting(false);
    customer.hangUp();
    await env.company.state(callId, 'ended');
    await env.company.status(ada, 'available');
  },

  async 'supervision: the customer hears the supervisor in no other mode than barge'(given) {
    const { env, ada, bob, bobPhone } = given;
    const { company } = env.company;
    assert.equal((await company.call('PATCH', `/employees/${bob.id}`, { role: 'admin' })).status, 200);
    const { customer, employee, callId } = await converse(given);
    const supervise = (mode: string) => bob.call('POST', `/calls/${callId}/supervision`, { mode });
    assert.equal((await supervise('listen')).body.error, 'supervision_disabled');
    assert.equal((await company.call('PATCH', '/company', { supervision_enabled: true })).status, 200);
    assert.equal((await supervise('listen')).status, 201);
    const supervisor = await env.rings(bobPhone);
    supervisor.audio.tone(TARGET_HERTZ);
    supervisor.answer();
    const isHeard = (call: typeof customer, hertz: number) => pitch(call.audio.received(400), hertz) > 0.15;
    const expectHeard = async (mode: string, byEmployee: boolean, byCustomer: boolean) => {
      await env.until(`${mode}: the supervisor hears both`, () =>
        [CUSTOMER_HERTZ, EMPLOYEE_HERTZ].every((hertz) => isHeard(supervisor, hertz)),
      );
      const heard = () => [isHeard(employee, TARGET_HERTZ), isHeard(customer, TARGET_HERTZ)];
      await env
        .until(mode, () => heard().join() === [byEmployee, byCustomer].join(), 10_000)
        .catch(() => assert.fail(`${mode}: employee and customer hear the supervisor: ${heard().join(', ')}`));
      for (const call of [customer, employee])
        assert.ok(
          isHeard(call, call === customer ? EMPLOYEE_HERTZ : CUSTOMER_HERTZ),
          `${mode}: the two hear each other`,
        );
    };
    await expectHeard('listen', false, false);
    assert.equal((await supervise('whisper')).status, 200);
    await expectHeard('whisper', true, false);
    assert.equal((await supervise('barge')).status, 200);
    await expectHeard('barge', true, true);
    assert.equal((await supervise('listen')).status, 200);
    await expectHeard('listen again', false, false);
    const id = await transfer(given, callId, { phone_number: '+4520999007' });
    assert.equal((await ada.call('DELETE', `/calls/${callId}/transfers/${id}`)).status, 200);
    await expectHeard('listen after a transfer', false, false);
    customer.hangUp();
    await untilEnded(given, supervisor);
    await env.company.state(callId, 'ended');
    await env.company.status(bob, 'available');
    await company.call('PATCH', '/company', { supervision_enabled: false });
  },
};
