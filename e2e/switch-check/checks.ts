import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Employee } from '../calls/phone-company.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import type { CheckWorld, EmployeePhone } from './check-world.ts';
import { loudness, pitch } from './mu-law.ts';
import type { PhoneCall } from './sip-phone.ts';

/** What a check works with. */
export interface Given {
  readonly world: CheckWorld;
  readonly ada: Employee;
  readonly bob: Employee;
  readonly adaPhone: EmployeePhone;
  readonly bobPhone: EmployeePhone;
  /** Menu: 1 leads to both employees, 2 to voicemail. */
  readonly menuNumber: string;
  /** Rings Ada at once. */
  readonly directNumber: string;
  /** Sends a signal to call-control; the launcher starts one that was killed again. */
  readonly signalCallControl: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => void;
  /** Kills the switch and starts it again; undefined where nobody said how. */
  readonly restartSwitch: (() => Promise<void>) | undefined;
}

type Control = Pick<Given, 'signalCallControl' | 'restartSwitch'>;

const CUSTOMER_HERTZ = 440;
const EMPLOYEE_HERTZ = 800;
const TARGET_HERTZ = 1200;
const SPOKEN = 'I would like to order twelve red bicycles for the office in Copenhagen.';

export async function prepare(world: CheckWorld, control: Control): Promise<Given> {
  const { company } = world;
  const [ada, bob] = [await company.hire('Ada', false), await company.hire('Bob', false)];
  const [adaPhone, bobPhone] = [await world.phoneOf(ada), await world.phoneOf(bob)];
  const menuNumber = await company.number({
    type: 'PhoneMenuConfig',
    welcome: 'Welcome. Press one for sales, or two to leave a message.',
    menu_options: [
      { digit: '1', action_type: 'TransferConfig', employee_ids: [ada.id, bob.id] },
      { digit: '2', action_type: 'VoicemailConfig', prompt: SPOKEN },
    ],
  });
  const directNumber = await company.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  return { world, ada, bob, adaPhone, bobPhone, menuNumber, directNumber, ...control };
}

/** For a second, so that it is in the recording as well. */
const expectTone = async ({ world }: Given, call: PhoneCall, hertz: number) => {
  await world.until(`${hertz} Hz`, () => pitch(call.audio.received(200), hertz) > 0.5, 10_000);
  await world.until(`${hertz} Hz for a second`, () => pitch(call.audio.received(1000), hertz) > 0.5, 10_000);
};
const isOver = ({ world }: Given, call: PhoneCall) => world.until('the call is over', () => call.state === 'ended');
const talks = ({ world }: Given, call: PhoneCall) => world.until('an answer', () => call.state === 'talking');

/** Also while the service is away. */
const eventually = ({ world }: Given, callId: string, state: string) =>
  world.until(
    `call ${state}`,
    async () => (await world.company.call(callId).catch(() => undefined))?.state === state,
    45_000,
  );

/** A customer in conversation with Ada, each with a tone of their own that the other hears. */
async function converse(given: Given): Promise<{ customer: PhoneCall; employee: PhoneCall; callId: string }> {
  const { world, adaPhone, directNumber } = given;
  await world.company.status(given.ada, 'available');
  const customer = await world.dial(directNumber);
  customer.audio.tone(CUSTOMER_HERTZ);
  const employee = await world.rings(adaPhone);
  employee.audio.tone(EMPLOYEE_HERTZ);
  employee.answer();
  const callId = world.callId(employee);
  await world.company.state(callId, 'bridged');
  await expectTone(given, customer, EMPLOYEE_HERTZ);
  await expectTone(given, employee, CUSTOMER_HERTZ);
  return { customer, employee, callId };
}

const startTransfer = async ({ ada, bob }: Given, callId: string): Promise<string> => {
  const { status, body, text } = await ada.call('POST', `/calls/${callId}/transfers`, { employee_id: bob.id });
  assert.equal(status, 201, text);
  return body.transfer.id as string;
};
const transferState = async (employee: Employee): Promise<string> =>
  (await employee.call('GET', '/calls/active')).body?.transfer?.state ?? '';

/** Each check leaves both employees available and every call ended. */
export const checks: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  async 'a phone with a credential registers, and the employee is available'(given) {
    const { world, ada, bob, adaPhone, bobPhone } = given;
    assert.equal(await adaPhone.register(), 200);
    assert.equal(await bobPhone.register(), 200);
    await world.company.status(ada, 'available');
    await world.company.status(bob, 'available');
  },

  async 'a phone that unregisters makes the employee logged out'(given) {
    const { world, bob, bobPhone } = given;
    assert.equal(await bobPhone.register(0), 200);
    await world.company.status(bob, 'logged_out');
    assert.equal(await bobPhone.register(), 200);
    await world.company.status(bob, 'available');
  },

  async 'a revoked credential is gone from the switch at once'(given) {
    const { world, bob, bobPhone } = given;
    const other = await world.phoneOf(bob);
    assert.equal(await bobPhone.register(0), 200);
    assert.equal(await other.register(), 200);
    await world.company.status(bob, 'available');
    assert.equal((await bob.call('DELETE', `/softphone_sessions/${other.sessionId}`)).status, 204);
    await world.company.status(bob, 'logged_out');
    assert.equal(await other.register(), 403);
    other.close();
    assert.equal(await bobPhone.register(), 200);
    await world.company.status(bob, 'available');
  },

  async 'greeting, key, queue, every phone rings, one answers, both hear each other, recording and transcript'(given) {
    const { world, ada, adaPhone, bobPhone, menuNumber } = given;
    const second = await world.phoneOf(ada);
    assert.equal(await second.register(), 200);
    const spoken = await world.company.company.call('GET', `/business_numbers/${world.company.numberId(menuNumber)}`);
    const customer = await world.dial(menuNumber);
    await talks(given, customer);
    await world.until('the greeting', () => loudness(customer.audio.received(500)) > 300);
    await customer.audio.press('1');
    const [first, other, bobs] = [await world.rings(adaPhone), await world.rings(second), await world.rings(bobPhone)];
    await world.until('the ringing tone', () => pitch(customer.audio.received(200), 425) > 0.5);
    other.answer();
    const callId = world.callId(other);
    await world.company.state(callId, 'bridged');
    await isOver(given, first);
    await isOver(given, bobs);
    assert.match(first.cause, /elsewhere/i);
    customer.audio.tone(CUSTOMER_HERTZ);
    other.audio.tone(EMPLOYEE_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, other, CUSTOMER_HERTZ);
    customer.audio.tone(null);
    other.audio.tone(null);
    await customer.audio.speak(await speech(given, promptAddress(spoken.body)));
    await sleep(500);
    customer.hangUp();
    await isOver(given, other);
    assert.equal(await second.register(0), 200);
    second.close();
    const call = await world.company.state(callId, 'ended');
    assert.equal(call.answered_at === null, false);
    await checkRecording(given, callId);
    await world.until('a transcript', async () => /bicycle/i.test(await transcriptOf(given, callId)), 120_000);
  },

  async 'a phone that declines is passed over, and the caller who gives up is lost'(given) {
    const { world, adaPhone, directNumber } = given;
    const customer = await world.dial(directNumber);
    const ringing = await world.rings(adaPhone);
    const callId = world.callId(ringing);
    ringing.decline(486);
    await world.company.state(callId, 'queued');
    customer.hangUp();
    await world.company.state(callId, 'ended');
    assert.deepEqual(await world.company.events(callId, 'call.lost'), [
      'call.initiated',
      'call.queued',
      'call.ended',
      'call.lost',
    ]);
    await world.company.status(given.ada, 'available');
  },

  async 'a warm transfer is completed: customer and target hear each other, the controller is out'(given) {
    const { world, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    const id = await startTransfer(given, callId);
    const target = await world.rings(bobPhone);
    await world.until('music', () => pitch(customer.audio.received(200), EMPLOYEE_HERTZ) < 0.1);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await world.until('consulting', async () => (await transferState(ada)) === 'consulting');
    await expectTone(given, employee, TARGET_HERTZ);
    await expectTone(given, target, EMPLOYEE_HERTZ);
    assert.ok(pitch(target.audio.received(200), CUSTOMER_HERTZ) < 0.1, 'the customer is on hold');
    assert.equal((await ada.call('POST', `/calls/${callId}/transfers/${id}/completion`)).status, 200);
    await isOver(given, employee);
    await expectTone(given, customer, TARGET_HERTZ);
    await expectTone(given, target, CUSTOMER_HERTZ);
    await world.company.status(ada, 'available');
    target.hangUp();
    await isOver(given, customer);
    await world.company.state(callId, 'ended');
    await world.company.status(bob, 'available');
    await checkRecording(given, callId);
  },

  async 'a warm transfer is cancelled: customer and controller hear each other again'(given) {
    const { world, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    const id = await startTransfer(given, callId);
    const target = await world.rings(bobPhone);
    target.audio.tone(TARGET_HERTZ);
    target.answer();
    await world.until('consulting', async () => (await transferState(ada)) === 'consulting');
    assert.equal((await ada.call('DELETE', `/calls/${callId}/transfers/${id}`)).status, 200);
    await isOver(given, target);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await world.company.status(bob, 'available');
    employee.hangUp();
    await isOver(given, customer);
    await world.company.state(callId, 'ended');
  },

  async 'the target of a warm transfer declines: customer and controller hear each other again'(given) {
    const { world, ada, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    await startTransfer(given, callId);
    (await world.rings(bobPhone)).decline(603);
    await world.until('the end of the transfer', async () => (await transferState(ada)) === '');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    customer.hangUp();
    await isOver(given, employee);
    await world.company.state(callId, 'ended');
  },

  async 'the customer hangs up in a warm transfer: everybody is free'(given) {
    const { world, ada, bob, bobPhone } = given;
    const { customer, employee, callId } = await converse(given);
    await startTransfer(given, callId);
    const target = await world.rings(bobPhone);
    target.answer();
    await world.until('consulting', async () => (await transferState(ada)) === 'consulting');
    customer.hangUp();
    await isOver(given, employee);
    await isOver(given, target);
    await world.company.state(callId, 'ended');
    await world.company.status(ada, 'available');
    await world.company.status(bob, 'available');
  },

  async 'a voicemail is left, stored and transcribed'(given) {
    const { world, menuNumber } = given;
    const spoken = await world.company.company.call('GET', `/business_numbers/${world.company.numberId(menuNumber)}`);
    const said = await speech(given, promptAddress(spoken.body));
    const customer = await world.dial(menuNumber);
    await talks(given, customer);
    await world.until('the greeting', () => loudness(customer.audio.received(500)) > 300);
    await customer.audio.press('2');
    await world.until('the beep', () => pitch(customer.audio.received(200), 1000) > 0.5, 30_000);
    await sleep(600);
    await customer.audio.speak(said);
    await customer.audio.press('#');
    await isOver(given, customer);
    const callId = await world.callFrom(customer.from);
    const voicemail = await waitUntil(
      async () => {
        const { body } = await world.company.company.call('GET', '/voicemails');
        return (body.voicemails as Record<string, unknown>[]).find((one) => JSON.stringify(one).includes(callId));
      },
      { what: 'a voicemail' },
    );
    await world.until(
      'its transcript',
      async () => {
        const { body } = await world.company.company.call('GET', `/voicemails/${String(voicemail['id'])}`);
        return /bicycle/i.test(JSON.stringify(body));
      },
      120_000,
    );
  },

  async 'an employee calls out through a carrier, shown as the business number'(given) {
    const { world, ada, adaPhone, directNumber } = given;
    const to = '+4520999001';
    const employee = await adaPhone.dial(to, { 'X-Business-Number': directNumber });
    employee.audio.tone(EMPLOYEE_HERTZ);
    const customer = await world.rings(world.carrier);
    assert.ok(customer.invite?.headers.some(([name, value]) => name === 'from' && value.includes(directNumber)));
    await world.until('the ringing tone', () => pitch(employee.audio.received(200), 425) > 0.5);
    await world.company.status(ada, 'on_call');
    customer.audio.tone(CUSTOMER_HERTZ);
    customer.answer();
    await talks(given, employee);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    const { body } = await ada.call('GET', '/calls/active');
    const callId: string = body.call.id;
    assert.equal(body.call.direction, 'outbound');
    customer.hangUp();
    await isOver(given, employee);
    await world.company.state(callId, 'ended');
    await world.company.status(ada, 'available');
    await checkRecording(given, callId);
  },

  async 'an outbound call that is busy, refused, given up or from a foreign number ends as such'(given) {
    const { world, ada, adaPhone, directNumber } = given;
    const headers = { 'X-Business-Number': directNumber };
    const busy = await adaPhone.dial('+4520999002', headers);
    (await world.rings(world.carrier)).decline(486);
    await isOver(given, busy);
    assert.equal(busy.cause, '486');
    await world.company.status(ada, 'available');
    const given_up = await adaPhone.dial('+4520999003', headers);
    const ringing = await world.rings(world.carrier);
    given_up.hangUp();
    await isOver(given, ringing);
    assert.match(ringing.cause, /^CANCEL/);
    await world.company.status(ada, 'available');
    const foreign = await adaPhone.dial('+4520999004', { 'X-Business-Number': '+4512345678' });
    await isOver(given, foreign);
    assert.equal(foreign.cause, '603');
  },

  async 'call-control is killed in a conversation: it goes on, and its end is seen'(given) {
    const { world, ada } = given;
    const { customer, employee, callId } = await converse(given);
    given.signalCallControl('SIGKILL');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, employee, CUSTOMER_HERTZ);
    await eventually(given, callId, 'bridged');
    customer.hangUp();
    await isOver(given, employee);
    await eventually(given, callId, 'ended');
    await world.company.status(ada, 'available');
    await checkRecording(given, callId);
  },

  async 'call-control is killed, and the customer hangs up before it is back'(given) {
    const { world, ada } = given;
    const { customer, employee, callId } = await converse(given);
    given.signalCallControl('SIGKILL');
    customer.hangUp();
    await eventually(given, callId, 'ended');
    await isOver(given, employee);
    const ended = (await world.company.events(callId, 'call.ended')).filter((type) => type === 'call.ended');
    assert.equal(ended.length, 1);
    await world.company.status(ada, 'available');
  },

  async 'call-control is killed while a phone rings: the answer counts'(given) {
    const { world, adaPhone, directNumber } = given;
    const customer = await world.dial(directNumber);
    customer.audio.tone(CUSTOMER_HERTZ);
    const employee = await world.rings(adaPhone);
    const callId = world.callId(employee);
    given.signalCallControl('SIGKILL');
    employee.audio.tone(EMPLOYEE_HERTZ);
    employee.answer();
    await eventually(given, callId, 'bridged');
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    employee.hangUp();
    await isOver(given, customer);
    await eventually(given, callId, 'ended');
  },

  async 'call-control is away: a new call is busy after 15 s'(given) {
    given.signalCallControl('SIGSTOP');
    try {
      const startedAt = performance.now();
      const customer = await given.world.dial(given.directNumber);
      await given.world.until('the end', () => customer.state === 'ended', 25_000);
      const waitedMs = performance.now() - startedAt;
      assert.equal(customer.cause, '486');
      assert.ok(waitedMs > 13_000 && waitedMs < 18_000, `after ${Math.round(waitedMs)} ms`);
    } finally {
      given.signalCallControl('SIGCONT');
    }
    await given.world.company.status(given.ada, 'available');
  },

  async 'the switch is killed in the middle of calls: each ends once, within 10 s, and phones come back'(given) {
    const { world, ada, adaPhone, bobPhone, menuNumber, restartSwitch } = given;
    if (!restartSwitch) return;
    const { callId } = await converse(given);
    // A switch writes recordings two seconds at a time.
    await sleep(4000);
    const waiting = await world.dial(menuNumber);
    await talks(given, waiting);
    await waiting.audio.press('1');
    const ringing = world.callId(await world.rings(bobPhone));
    const killedAt = performance.now();
    await restartSwitch();
    for (const id of [callId, ringing]) await eventually(given, id, 'ended');
    const endedMs = performance.now() - killedAt;
    assert.ok(endedMs < 10_000, `after ${Math.round(endedMs)} ms`);
    for (const id of [callId, ringing]) {
      const types = await world.company.events(id, 'call.ended');
      assert.equal(types.filter((type) => type === 'call.ended').length, 1);
    }
    for (const phone of [adaPhone, bobPhone]) {
      for (const call of phone.calls) call.hangUp();
      assert.equal(await phone.register(), 200);
    }
    await world.company.status(ada, 'available');
    const again = await converse(given);
    again.customer.hangUp();
    await eventually(given, again.callId, 'ended');
    // What was said before is not lost: the file is looked for after the restart.
    await checkRecording(given, callId);
  },

  async 'a number that nobody has is refused'(given) {
    const customer = await given.world.dial('+4599999999');
    await isOver(given, customer);
    assert.equal(customer.cause, '404');
  },
};

/** Left the customer, right the employee; the file may be read in parts. */
async function checkRecording({ world }: Given, callId: string): Promise<void> {
  const url = await waitUntil(
    async () => ((await world.company.call(callId)).recording_url as string | null) ?? undefined,
    { what: 'a recording', timeoutMs: 30_000 },
  );
  const { channels, rate } = await world.samples(url);
  assert.equal(channels.length, 2);
  assert.equal(rate, 8000);
  const [left, right] = channels.map((samples) => loudestPitch([...samples]));
  assert.equal(left, CUSTOMER_HERTZ, 'the customer is on the left');
  assert.notEqual(right, CUSTOMER_HERTZ, 'the customer is not on the right');
  assert.notEqual(right, undefined, 'somebody is on the right');
}

/** A tenth of a second. */
const PIECE = 800;

/** Which of our tones is there at any time. */
function loudestPitch(samples: readonly number[]): number | undefined {
  for (let at = 0; at + PIECE <= samples.length; at += PIECE) {
    const piece = samples.slice(at, at + PIECE);
    for (const hertz of [CUSTOMER_HERTZ, EMPLOYEE_HERTZ, TARGET_HERTZ])
      if (loudness(piece) > 1000 && pitch(piece, hertz) > 0.6) return hertz;
  }
  return undefined;
}

/** Speech at 8 kHz. */
async function speech({ world }: Given, url: string): Promise<Int16Array> {
  const { channels, rate } = await world.samples(url);
  const [samples = new Int16Array()] = channels;
  return Int16Array.from(
    { length: Math.floor((samples.length * 8000) / rate) },
    (_, index) => samples[Math.floor((index * rate) / 8000)] ?? 0,
  );
}

/** Where the audio of what the voicemail says is. */
function promptAddress(number: { incoming_call_config: { menu_options: Record<string, string>[] } }): string {
  return number.incoming_call_config.menu_options.find(({ digit }) => digit === '2')?.prompt_audio_url ?? '';
}

async function transcriptOf({ world }: Given, callId: string): Promise<string> {
  return (await world.company.call(callId)).transcription ?? '';
}
