import assert from 'node:assert/strict';
import { operate } from '../support/api.ts';
import type { Employee } from '../calls/phone-company.ts';
import type { EmployeePhone } from './check-environment.ts';
import {
  type Checks,
  converse,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  eventually,
  expectTone,
  type Given,
  TARGET_HERTZ,
  talks,
  untilEnded,
} from './check-fixture.ts';

interface Elsewhere {
  readonly cleo: Employee;
  /** Registered at the other switch. */
  readonly phone: EmployeePhone;
  /** Rings Cleo. */
  readonly number: string;
}

let elsewhere: Promise<Elsewhere> | undefined;

/** An employee whose phone is registered at the other switch. */
const atTheOtherSwitch = (given: Given): Promise<Elsewhere> => (elsewhere ??= prepareElsewhere(given));

async function prepareElsewhere({ env }: Given): Promise<Elsewhere> {
  const cleo = await env.company.hire('Cleo', false);
  const phone = await env.phoneOf(cleo, { at: 'other' });
  assert.equal(await phone.register(), 200);
  await env.company.status(cleo, 'available');
  const number = await env.company.number({ type: 'TransferConfig', employee_ids: [cleo.id] });
  return { cleo, phone, number };
}

async function drain({ env }: Given, name: string, draining: boolean): Promise<void> {
  const { status, text } = await operate(env.company.stack, 'PATCH', `/switches/${name}`, { draining });
  assert.equal(status, 200, text);
}

/** Whether the first switch refuses a new call. The process that reads it learns within two seconds that it is drained. */
async function refusesCalls(given: Given): Promise<boolean> {
  const { env, menuNumber } = given;
  const customer = await env.dial(menuNumber);
  await env.until('an answer or a refusal', () => customer.state === 'talking' || customer.state === 'ended');
  if (customer.state === 'talking') customer.hangUp();
  await untilEnded(given, customer);
  return customer.cause === '503';
}

/** With two switches: the second one is where Cleo's phone is registered. */
export const severalSwitchesChecks: Checks = {
  async 'two switches: a phone at the other one rings, both hear each other, and either may hang up'(given) {
    const { env } = given;
    const { cleo, phone, number } = await atTheOtherSwitch(given);
    for (const ends of ['customer', 'employee'] as const) {
      const customer = await env.dial(number);
      customer.audio.tone(CUSTOMER_HERTZ);
      const employee = await env.rings(phone);
      employee.audio.tone(EMPLOYEE_HERTZ);
      const callId = env.callId(employee);
      employee.answer();
      await env.company.state(callId, 'bridged');
      await expectTone(given, customer, EMPLOYEE_HERTZ);
      await expectTone(given, employee, CUSTOMER_HERTZ);
      (ends === 'customer' ? customer : employee).hangUp();
      await untilEnded(given, customer);
      await untilEnded(given, employee);
      await env.company.state(callId, 'ended');
      await env.company.status(cleo, 'available');
    }
  },

  async 'two switches: a phone at the other one declines, and one that rings stops when the caller hangs up'(given) {
    const { env } = given;
    const { cleo, phone, number } = await atTheOtherSwitch(given);
    const customer = await env.dial(number);
    const first = await env.rings(phone);
    const callId = env.callId(first);
    first.decline(486);
    await env.company.state(callId, 'queued');
    const again = await env.rings(phone);
    assert.notEqual(again, first);
    customer.hangUp();
    await untilEnded(given, again);
    await env.company.state(callId, 'ended');
    await env.company.status(cleo, 'available');
  },

  async 'two switches: phones at both of them ring, one answers, the other is told where'(given) {
    const { env } = given;
    const { cleo, phone, number } = await atTheOtherSwitch(given);
    const here = await env.phoneOf(cleo);
    assert.equal(await here.register(), 200);
    for (const answering of ['here', 'there'] as const) {
      const customer = await env.dial(number);
      const [near, far] = [await env.rings(here), await env.rings(phone)];
      const [answered, cancelled] = answering === 'here' ? [near, far] : [far, near];
      answered.answer();
      await untilEnded(given, cancelled);
      assert.match(cancelled.cause, /elsewhere/i);
      await env.company.state(env.callId(answered), 'bridged');
      customer.hangUp();
      await untilEnded(given, answered);
      await env.company.status(cleo, 'available');
    }
    assert.equal(await here.register(0), 200);
    here.close();
  },

  async 'two switches: hold, a warm transfer to the other one, and the employee there hangs up'(given) {
    const { env, ada } = given;
    const { cleo, phone } = await atTheOtherSwitch(given);
    const { customer, employee, callId } = await converse(given);
    const started = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: cleo.id });
    assert.equal(started.status, 201, started.text);
    const target = await env.rings(phone);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await expectTone(given, employee, TARGET_HERTZ);
    const completed = await ada.call('POST', `/calls/${callId}/transfers/${started.body.transfer.id}/completion`);
    assert.equal(completed.status, 200, completed.text);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, target, CUSTOMER_HERTZ);
    const held = await cleo.call('PUT', `/calls/${callId}/hold`, { on: true });
    assert.equal(held.status, 200, held.text);
    const resumed = await cleo.call('PUT', `/calls/${callId}/hold`, { on: false });
    assert.equal(resumed.status, 200, resumed.text);
    await expectTone(given, target, CUSTOMER_HERTZ);
    target.hangUp();
    await untilEnded(given, customer);
    await env.company.state(callId, 'ended');
    await env.company.status(cleo, 'available');
    await env.company.status(ada, 'available');
  },

  async 'two switches: a phone in a conversation registers at the other one and takes its call along'(given) {
    const { env, ada } = given;
    const { customer, employee, callId } = await converse(given);
    const moved = await env.phoneOf(ada, { at: 'other' });
    assert.equal(await moved.register(), 200);
    const returned = await moved.dial(callId);
    await talks(given, returned);
    returned.audio.tone(TARGET_HERTZ);
    await untilEnded(given, employee);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, returned, CUSTOMER_HERTZ);
    returned.hangUp();
    await untilEnded(given, customer);
    await env.company.state(callId, 'ended');
    await env.company.status(ada, 'available');
    assert.equal(await moved.register(0), 200);
    moved.close();
  },

  async 'two switches: an employee whose phone is at the other one calls out, and has a requested call'(given) {
    const { env } = given;
    const { cleo, phone, number } = await atTheOtherSwitch(given);
    const placed = await phone.dial('+4520999001', { 'X-Business-Number': number });
    const outside = await env.rings(env.carrier);
    outside.answer();
    await talks(given, placed);
    placed.hangUp();
    await untilEnded(given, outside);
    await env.company.status(cleo, 'available');
    const requested = await cleo.call('POST', '/calls', {
      business_number_id: env.company.numberId(number),
      to: '+4520999002',
    });
    assert.equal(requested.status, 201, requested.text);
    const own = await env.rings(phone);
    own.answer();
    const reached = await env.rings(env.carrier);
    reached.answer();
    await env.company.state(requested.body.id, 'bridged');
    reached.hangUp();
    await untilEnded(given, own);
    await env.company.status(cleo, 'available');
  },

  async 'two switches: one that is drained takes no new calls, and those it has go on'(given) {
    const { env } = given;
    const { phone, number } = await atTheOtherSwitch(given);
    const { customer, employee, callId } = await converse(given);
    await drain(given, 'freeswitch', true);
    try {
      await env.until('new calls to be refused', () => refusesCalls(given));
      await expectTone(given, customer, EMPLOYEE_HERTZ);
      await expectTone(given, employee, CUSTOMER_HERTZ);
      // Its phones are rung for calls of the other one.
      const taken = await env.dial(number, undefined, 'other');
      const rung = await env.rings(phone);
      rung.answer();
      await talks(given, taken);
      taken.hangUp();
      await untilEnded(given, rung);
      const { body } = await operate(env.company.stack, 'GET', '/switches');
      const listed = body.switches.find(({ name }: { name: string }) => name === 'freeswitch');
      assert.deepEqual({ draining: listed.draining, open_calls: listed.open_calls }, { draining: true, open_calls: 1 });
      customer.hangUp();
      await untilEnded(given, employee);
      await env.company.state(callId, 'ended');
    } finally {
      await drain(given, 'freeswitch', false);
    }
    await env.until('new calls to be taken', async () => !(await refusesCalls(given)));
    const again = await converse(given);
    again.customer.hangUp();
    await eventually(given, again.callId, 'ended');
  },

  async 'two switches: the loss of one ends only its own calls'(given) {
    const { env, restartOtherSwitch } = given;
    if (!restartOtherSwitch) return;
    const { cleo, phone, number } = await atTheOtherSwitch(given);
    const near = await converse(given);
    const lost = await env.dial(number, undefined, 'other');
    const rung = await env.rings(phone);
    rung.answer();
    await talks(given, lost);
    const lostCall = env.callId(rung);
    await restartOtherSwitch();
    await eventually(given, lostCall, 'ended');
    await expectTone(given, near.customer, EMPLOYEE_HERTZ);
    await expectTone(given, near.employee, CUSTOMER_HERTZ);
    near.customer.hangUp();
    await eventually(given, near.callId, 'ended');
    assert.equal(await phone.register(), 200);
    await env.company.status(cleo, 'available');
  },
};
