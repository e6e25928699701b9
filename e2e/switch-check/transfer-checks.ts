import assert from 'node:assert/strict';
import type { Employee } from '../calls/phone-company.ts';
import { checkRecording } from './check-audio.ts';
import {
  type Checks,
  converse,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  expectTone,
  untilEnded,
  TARGET_HERTZ,
  type Given,
} from './check-fixture.ts';
import { pitch } from './pitch.ts';

/** The customer's tone while the recording is paused. */
const PAUSED_HERTZ = 1600;

const startTransfer = async ({ ada, bob }: Given, callId: string): Promise<string> => {
  const { status, body, text } = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: bob.id });
  assert.equal(status, 201, text);
  return body.transfer.id as string;
};
const transferState = async (employee: Employee): Promise<string> =>
  (await employee.call('GET', '/calls/active')).body?.transfer?.state ?? '';

export const transferChecks: Checks = {
  async 'a customer on hold hears the wait audio, and a paused recording has nothing of the pause'(given) {
    const { env, ada } = given;
    const { customer, employee, callId } = await converse(given);
    const put = async (what: 'hold' | 'recording', body: object) => {
      const { status, text } = await ada.call('PUT', `/calls/${callId}/${what}`, body);
      assert.equal(status, 200, text);
    };
    for (let round = 0; round < 2; round++) {
      await put('hold', { on: true });
      await env.until('hold', () => pitch(customer.audio.received(200), EMPLOYEE_HERTZ) < 0.1);
      // The switch sends nothing to the employee's phone, so the tone of before is the last one that it received.
      customer.audio.tone(TARGET_HERTZ);
      await env.until('wait audio', () => pitch(customer.audio.received(1000), EMPLOYEE_HERTZ) < 0.1);
      assert.ok(pitch(employee.audio.received(200), TARGET_HERTZ) < 0.1, 'the employee hears the customer on hold');
      customer.audio.tone(CUSTOMER_HERTZ);
      await put('hold', { on: false });
      await expectTone(given, customer, EMPLOYEE_HERTZ);
      await expectTone(given, employee, CUSTOMER_HERTZ);
    }
    await put('recording', { paused: true });
    customer.audio.tone(PAUSED_HERTZ);
    await expectTone(given, employee, PAUSED_HERTZ);
    customer.audio.tone(CUSTOMER_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await put('recording', { paused: false });
    await put('hold', { on: true });
    const id = await startTransfer(given, callId);
    assert.equal((await ada.call('DELETE', `/calls/${callId}/transfers/${id}`)).status, 200);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    customer.hangUp();
    await untilEnded(given, employee);
    await env.company.state(callId, 'ended');
    await checkRecording(given, callId, { without: PAUSED_HERTZ });
  },

  async 'a warm transfer is completed: customer and target hear each other, the controller is out'(given) {
    const { env, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    const id = await startTransfer(given, callId);
    const target = await env.rings(bobPhone);
    await env.until('music', () => pitch(customer.audio.received(200), EMPLOYEE_HERTZ) < 0.1);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await env.until('consulting', async () => (await transferState(ada)) === 'consulting');
    await expectTone(given, employee, TARGET_HERTZ);
    await expectTone(given, target, EMPLOYEE_HERTZ);
    assert.ok(pitch(target.audio.received(200), CUSTOMER_HERTZ) < 0.1, 'the customer is on hold');
    assert.equal((await ada.call('POST', `/calls/${callId}/transfers/${id}/completion`)).status, 200);
    await untilEnded(given, employee);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, target, CUSTOMER_HERTZ);
    await env.company.status(ada, 'available');
    target.hangUp();
    await untilEnded(given, customer);
    await env.company.state(callId, 'ended');
    await env.company.status(bob, 'available');
    await checkRecording(given, callId);
  },

  async 'a warm transfer is cancelled: customer and controller hear each other again'(given) {
    const { env, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    const id = await startTransfer(given, callId);
    const target = await env.rings(bobPhone);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await env.until('consulting', async () => (await transferState(ada)) === 'consulting');
    assert.equal((await ada.call('DELETE', `/calls/${callId}/transfers/${id}`)).status, 200);
    await untilEnded(given, target);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await env.company.status(bob, 'available');
    employee.hangUp();
    await untilEnded(given, customer);
    await env.company.state(callId, 'ended');
  },

  async 'the target of a warm transfer declines: customer and controller hear each other again'(given) {
    const { env, ada, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    await startTransfer(given, callId);
    (await env.rings(bobPhone)).decline(603);
    await env.until('the end of the transfer', async () => (await transferState(ada)) === '');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    customer.hangUp();
    await untilEnded(given, employee);
    await env.company.state(callId, 'ended');
  },

  async 'the customer hangs up in a warm transfer: all employees are free'(given) {
    const { env, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    await startTransfer(given, callId);
    const target = await env.rings(bobPhone);
    target.answer();
    await env.until('consulting', async () => (await transferState(ada)) === 'consulting');
    customer.hangUp();
    await untilEnded(given, employee);
    await untilEnded(given, target);
    await env.company.state(callId, 'ended');
    await env.company.status(ada, 'available');
    await env.company.status(bob, 'available');
  },
};
