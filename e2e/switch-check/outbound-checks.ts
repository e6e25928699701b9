import assert from 'node:assert/strict';
import { checkRecording } from './check-audio.ts';
import {
  type Checks,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  expectTone,
  untilEnded,
  talks,
  TARGET_HERTZ,
} from './check-fixture.ts';
import { pitch } from './pitch.ts';

/** The employee's tone after the hold. */
const LATER_HERTZ = 1600;

export const outboundChecks: Checks = {
  async 'a requested call rings the employee, then the other side; both hear each other, also after a hold'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    const to = '+4520999005';
    await env.company.status(ada, 'available');
    const business_number_id = env.company.numberId(directNumber);
    const { status, body: call, text } = await ada.call('POST', '/calls', { business_number_id, to });
    assert.equal(status, 201, text);
    const employee = await env.rings(adaPhone);
    employee.audio.tone(EMPLOYEE_HERTZ);
    employee.answer();
    const customer = await env.rings(env.carrier);
    assert.ok(customer.invite?.headers.get('from')?.some((value) => value.includes(directNumber)));
    await env.until('the ringing tone', () => pitch(employee.audio.received(200), 425) > 0.5);
    customer.audio.tone(CUSTOMER_HERTZ);
    customer.answer();
    await env.company.state(call.id, 'bridged');
    for (const on of [true, false])
      assert.equal((await ada.call('PUT', `/calls/${call.id}/hold`, { on })).body.on_hold, on);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    customer.audio.tone(TARGET_HERTZ);
    employee.audio.tone(LATER_HERTZ);
    await expectTone(given, employee, TARGET_HERTZ);
    await expectTone(given, customer, LATER_HERTZ);
    customer.hangUp();
    await untilEnded(given, employee);
    await env.company.state(call.id, 'ended');
    await checkRecording(given, call.id);
    const { body: unanswered } = await ada.call('POST', '/calls', { business_number_id, to });
    (await env.rings(adaPhone)).decline(603);
    await env.company.state(unanswered.id, 'ended');
    await env.company.status(ada, 'available');
  },

  async 'an employee calls out through a carrier, shown as the business number'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    const to = '+4520999001';
    const employee = await adaPhone.dial(to, { 'X-Business-Number': directNumber });
    employee.audio.tone(EMPLOYEE_HERTZ);
    const customer = await env.rings(env.carrier);
    assert.ok(customer.invite?.headers.get('from')?.some((value) => value.includes(directNumber)));
    await env.until('the ringing tone', () => pitch(employee.audio.received(200), 425) > 0.5);
    await env.company.status(ada, 'on_call');
    customer.audio.tone(CUSTOMER_HERTZ);
    customer.answer();
    await talks(given, employee);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    const { body } = await ada.call('GET', '/calls/active');
    const callId: string = body.call.id;
    assert.equal(body.call.direction, 'outbound');
    customer.hangUp();
    await untilEnded(given, employee);
    await env.company.state(callId, 'ended');
    await env.company.status(ada, 'available');
    await checkRecording(given, callId);
  },

  async 'an outbound call that is busy, refused, cancelled or from a foreign number ends as such'(given) {
    const { env, ada, adaPhone, directNumber } = given;
    const headers = { 'X-Business-Number': directNumber };
    const busy = await adaPhone.dial('+4520999002', headers);
    (await env.rings(env.carrier)).decline(486);
    await untilEnded(given, busy);
    assert.equal(busy.cause, '486');
    await env.company.status(ada, 'available');
    const cancelled = await adaPhone.dial('+4520999003', headers);
    const ringing = await env.rings(env.carrier);
    cancelled.hangUp();
    await untilEnded(given, ringing);
    assert.match(ringing.cause, /^CANCEL/);
    await env.company.status(ada, 'available');
    const barred = await adaPhone.dial('+19005551234', headers);
    await untilEnded(given, barred);
    assert.equal(barred.cause, '403');
    const foreign = await adaPhone.dial('+4520999004', { 'X-Business-Number': '+4512345678' });
    await untilEnded(given, foreign);
    assert.equal(foreign.cause, '603');
  },
};
