import assert from 'node:assert/strict';
import {
  type Checks,
  CUSTOMER_HERTZ,
  expectTone,
  type Given,
  untilEnded,
  TARGET_HERTZ,
  EMPLOYEE_HERTZ,
} from './check-fixture.ts';
import { pitch } from './pitch.ts';
import type { PhoneCall } from './sip-phone.ts';

/** The phone outside answers, and presses 1 when it is asked for a key. */
async function accept({ env }: Given, call: PhoneCall): Promise<void> {
  call.audio.tone(TARGET_HERTZ);
  call.answer();
  await env.until('the question for a key', () => call.audio.received(1000).some((sample) => Math.abs(sample) > 500));
  await call.audio.press('1');
}

/** Forwarded calls, waiting callers and callbacks. */
export const outsideChecks: Checks = {
  async 'a forward is accepted with key 1, and goes on without an employee'(given) {
    const { env } = given;
    const number = await env.company.number({ type: 'ForwardConfig', phone_number: '+4520999010', timeout_secs: 20 });
    const customer = await env.dial(number);
    customer.audio.tone(CUSTOMER_HERTZ);
    const outside = await env.rings(env.carrier);
    assert.ok(outside.invite?.headers.get('from')?.some((value) => value.includes(number)));
    await accept(given, outside);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, outside, CUSTOMER_HERTZ);
    const id = await env.callFrom(customer.from);
    await env.company.state(id, 'bridged');
    customer.hangUp();
    await untilEnded(given, outside);
    await env.company.state(id, 'ended');
  },

  async 'a forward that is busy leaves the customer to the no-answer flow'(given) {
    const { env } = given;
    const number = await env.company.number(
      { type: 'ForwardConfig', phone_number: '+4520999011', timeout_secs: 20 },
      { noAnswer: { type: 'VoicemailConfig', greeting: 'Nobody is here.', timeout_secs: 30 } },
    );
    const customer = await env.dial(number);
    (await env.rings(env.carrier)).decline(486);
    const id = await env.callFrom(customer.from);
    await env.company.state(id, 'recording');
    customer.hangUp();
    await env.company.state(id, 'ended');
  },

  async 'forward_to rings an employee without a registered phone, also as the target of transfers'(given) {
    const { env, ada, adaPhone } = given;
    const eve = await env.company.hire('Eve', false);
    const { status, text } = await eve.call('PATCH', `/employees/${eve.id}`, { forward_to: '+4520999012' });
    assert.equal(status, 200, text);
    for (const mode of ['blind', 'warm']) {
      await env.company.status(ada, 'available');
      const customer = await env.dial(given.directNumber);
      customer.audio.tone(CUSTOMER_HERTZ);
      const employee = await env.rings(adaPhone);
      employee.audio.tone(EMPLOYEE_HERTZ);
      employee.answer();
      const callId = env.callId(employee);
      await env.company.state(callId, 'bridged');
      const started = await ada.call('POST', `/calls/${callId}/transfers`, { mode, employee_id: eve.id });
      assert.equal(started.status, 201, started.text);
      const outside = await env.rings(env.carrier);
      await accept(given, outside);
      if (mode === 'warm') {
        await expectTone(given, employee, TARGET_HERTZ);
        const path = `/calls/${callId}/transfers/${started.body.transfer.id}/completion`;
        assert.equal((await ada.call('POST', path)).status, 200);
      }
      await untilEnded(given, employee);
      await expectTone(given, customer, TARGET_HERTZ);
      await expectTone(given, outside, CUSTOMER_HERTZ);
      outside.hangUp();
      await untilEnded(given, customer);
      await env.company.state(callId, 'ended');
      await env.company.status(eve, 'logged_out');
    }
  },

  async 'a waiting caller hears the place, asks for a callback with key 1 and is called back'(given) {
    const { env, ada, adaPhone } = given;
    const number = await env.company.number({ type: 'TransferConfig', employee_ids: [ada.id] });
    const path = `/business_numbers/${env.company.numberId(number)}`;
    const settings = { announce_position: true, callback_offer: true };
    assert.equal((await env.company.company.call('PATCH', path, settings)).status, 200);
    const dnd = (enabled: boolean) => ada.call('PUT', `/employees/${ada.id}/do_not_disturb`, { enabled });
    assert.equal((await dnd(true)).status, 200);
    const customer = await env.dial(number);
    const id = await env.callFrom(customer.from);
    await env.company.state(id, 'queued');
    const isSpoken = (heard: readonly number[]) =>
      heard.some((sample) => Math.abs(sample) > 500) && pitch(heard, 425) < 0.2;
    await env.until('the place', () => isSpoken(customer.audio.received(200)));
    await customer.audio.press('1');
    await untilEnded(given, customer);
    assert.equal((await env.company.call(id)).callback.state, 'waiting');
    await dnd(false);
    const employee = await env.rings(adaPhone);
    employee.audio.tone(EMPLOYEE_HERTZ);
    employee.answer();
    const called = await env.rings(env.carrier);
    assert.ok(called.invite?.headers.get('from')?.some((value) => value.includes(number)));
    called.audio.tone(CUSTOMER_HERTZ);
    called.answer();
    await env.company.state(id, 'bridged');
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await expectTone(given, called, EMPLOYEE_HERTZ);
    assert.equal((await env.company.call(id)).callback.state, 'connected');
    employee.hangUp();
    await untilEnded(given, called);
    await env.company.state(id, 'ended');
    await env.company.status(ada, 'available');
  },
};
