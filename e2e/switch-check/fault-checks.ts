import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkRecording } from './check-audio.ts';
import {
  type Checks,
  converse,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  eventually,
  expectTone,
  untilEnded,
  talks,
} from './check-fixture.ts';

export const faultChecks: Checks = {
  async 'call-control is killed in a conversation: it continues, and its end is processed'(given) {
    const { env, ada } = given;
    const { customer, employee, callId } = await converse(given);
    given.signalCallControl('SIGKILL');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await eventually(given, callId, 'bridged');
    customer.hangUp();
    await untilEnded(given, employee);
    await eventually(given, callId, 'ended');
    await env.company.status(ada, 'available');
    await checkRecording(given, callId);
  },

  async 'call-control is killed, and the customer hangs up before it restarts'(given) {
    const { env, ada } = given;
    const { customer, employee, callId } = await converse(given);
    given.signalCallControl('SIGKILL');
    customer.hangUp();
    await eventually(given, callId, 'ended');
    await untilEnded(given, employee);
    const ended = (await env.company.events(callId, 'call.ended')).filter((type) => type === 'call.ended');
    assert.equal(ended.length, 1);
    await env.company.status(ada, 'available');
  },

  async 'call-control is killed while a phone rings: the answer is processed'(given) {
    const { env, adaPhone, directNumber } = given;
    const customer = await env.dial(directNumber);
    customer.audio.tone(CUSTOMER_HERTZ);
    const employee = await env.rings(adaPhone);
    const callId = env.callId(employee);
    given.signalCallControl('SIGKILL');
    employee.audio.tone(EMPLOYEE_HERTZ);
    employee.answer();
    await eventually(given, callId, 'bridged');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    employee.hangUp();
    await untilEnded(given, customer);
    await eventually(given, callId, 'ended');
  },

  async 'call-control hangs: a new call is busy after 15 s'(given) {
    given.signalCallControl('SIGSTOP');
    try {
      const startedAt = performance.now();
      const customer = await given.env.dial(given.directNumber);
      await given.env.until('the end', () => customer.state === 'ended', 25_000);
      const waitedMs = performance.now() - startedAt;
      assert.equal(customer.cause, '486');
      assert.ok(waitedMs > 13_000 && waitedMs < 18_000, `after ${Math.round(waitedMs)} ms`);
    } finally {
      given.signalCallControl('SIGCONT');
    }
    await given.env.company.status(given.ada, 'available');
  },

  async 'the switch is killed in the middle of calls: each ends once, within 10 s, and phones register again'(given) {
    const { env, ada, adaPhone, bobPhone, menuNumber, restartSwitch } = given;
    if (!restartSwitch) return;
    const { callId } = await converse(given);
    // A switch writes recordings two seconds at a time.
    await sleep(4000);
    const waiting = await env.dial(menuNumber);
    await talks(given, waiting);
    await waiting.audio.press('1');
    const ringing = env.callId(await env.rings(bobPhone));
    const killedAt = performance.now();
    await restartSwitch();
    for (const id of [callId, ringing]) await eventually(given, id, 'ended');
    const endedMs = performance.now() - killedAt;
    assert.ok(endedMs < 10_000, `after ${Math.round(endedMs)} ms`);
    for (const id of [callId, ringing]) {
      const types = await env.company.events(id, 'call.ended');
      assert.equal(types.filter((type) => type === 'call.ended').length, 1);
    }
    for (const phone of [adaPhone, bobPhone]) {
      for (const call of phone.calls) call.hangUp();
      assert.equal(await phone.register(), 200);
    }
    await env.company.status(ada, 'available');
    const again = await converse(given);
    again.customer.hangUp();
    await eventually(given, again.callId, 'ended');
    // The recording is not lost: the file is fetched after the restart.
    await checkRecording(given, callId);
  },
};
