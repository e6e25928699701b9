import { describe, expect, it } from '@jest/globals';
import { waitsFor } from './queue.ts';
import { ada, bob, inbound, prompt, type TestCall, transfer, voicemail } from '../../../test/test-call.ts';

const MINUTE = 60;
const offer = { callbackPrompt: prompt('press-1') };
const dials = (test: TestCall) => test.commands.flatMap((command) => (command.kind === 'dial' ? [command] : []));
const counted = (test: TestCall, kind: string) => test.commands.filter((command) => command.kind === kind).length;

const pressOne = (test: TestCall) => test.apply({ type: 'digit', legId: test.call.customerLegId, digit: '1' });
const permit = (test: TestCall, isPermitted = true) =>
  test.settle({ kind: 'permit_callback' }, { kind: 'permit_callback', isPermitted });

/** The caller has pressed 1 and is gone. */
function requested(more: Parameters<typeof inbound>[1] = {}) {
  const test = inbound(transfer(ada, bob), { ...offer, ...more });
  pressOne(test);
  permit(test);
  test.hangUp();
  return test;
}

/** Ada has answered, and the caller is being called. */
function calling(test = requested()) {
  const adaLeg = test.ring(ada);
  test.answer(adaLeg);
  const dial = dials(test).at(-1)!;
  test.settle(dial, { kind: 'dial', refused: null });
  return Object.assign(test, { adaLeg, caller: dial.legId });
}

describe('a callback', () => {
  it('a callback is offered while the caller waits, and only where the number is set up so', () => {
    const heard = inbound(transfer(ada), offer)
      .steps()
      .flatMap((step) => (step.do === 'play' ? [step.audio] : []));
    expect(heard).toEqual([{ kind: 'ringtone' }, { kind: 'prompt', contentHash: 'press-1' }, { kind: 'ringtone' }]);
    const test = inbound(transfer(ada));
    pressOne(test);
    expect([test.call.callback, counted(test, 'permit_callback')]).toEqual([undefined, 0]);
  });

  it('a callback begins when it is permitted; until then, and without that, the caller goes on waiting', () => {
    const test = inbound(transfer(ada), { ...offer, noAnswer: { timeoutSecs: 60, flow: voicemail } });
    pressOne(test);
    expect([test.call.callback, counted(test, 'permit_callback')]).toEqual([undefined, 1]);
    permit(test, false);
    expect([test.call.callback, test.call.legs[0]?.hangingUp, test.timers.has('no_answer')]).toEqual([
      undefined,
      false,
      true,
    ]);
    expect(test.what).toContain('callback_refused');
    // Whoever goes on pressing the key is asked about once in ten seconds.
    for (let presses = 0; presses < 5; presses++) pressOne(test);
    expect(counted(test, 'permit_callback')).toBe(1);
    test.pass(10);
    pressOne(test);
    permit(test);
    expect(test.call).toMatchObject({ callback: { state: 'waiting' }, legs: [{ hangingUp: true }] });
  });

  it('a callback does not begin any more when an employee has answered meanwhile, or the caller has hung up', () => {
    const answered = inbound(transfer(ada), offer);
    const adaLeg = answered.ring(ada);
    pressOne(answered);
    answered.answer(adaLeg);
    permit(answered);
    expect(answered.call.callback).toBeUndefined();
    const gone = inbound(transfer(ada), offer);
    pressOne(gone);
    gone.hangUp();
    permit(gone);
    expect(gone.call).toMatchObject({ state: 'ended', abandoned: true });
  });

  it('a callback is in no queue of employees while it is not due', () => {
    const test = calling();
    test.hangUp(test.caller, 'USER_BUSY');
    test.hangUp(test.adaLeg);
    expect(test.call.waitingFor).toEqual([]);
    test.pass(5 * MINUTE);
    expect(test.call.waitingFor).toEqual([ada.id, bob.id]);
  });

  it('a callback keeps the place in the queue after the caller has hung up, without a no-answer flow', () => {
    const test = requested({ noAnswer: { timeoutSecs: 15, flow: voicemail } });
    test.pass(60 * MINUTE);
    expect(test.call).toMatchObject({ state: 'queued', legs: [], callback: { state: 'waiting', attempts: 0 } });
    expect([test.eventTypes, waitsFor(test.call, ada.id, test.now)]).toEqual([['initiated', 'queued'], true]);
  });

  it('a callback rings an employee, then calls the caller from the business number, and connects the two', () => {
    const test = calling();
    expect(dials(test)).toEqual([
      { kind: 'dial', legId: test.caller, to: '+4520304050', carrier: 0, timeoutSecs: 45, asks: true },
    ]);
    expect(test.call).toMatchObject({ state: 'transferring', callback: { state: 'calling' }, answeredAt: null });
    expect(test.steps().at(-1)).toMatchObject({ do: 'play', legId: test.adaLeg, audio: { kind: 'ringtone' } });
    test.answer(test.caller);
    test.apply({ type: 'leg_bridged', legId: test.caller, peerId: test.adaLeg });
    expect(test.call).toMatchObject({ state: 'bridged', employees: [ada], callback: { state: 'connected' } });
    test.pass(30);
    test.hangUp(test.caller);
    test.hangUp(test.adaLeg);
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 30, legs: [], callback: { state: 'connected' } });
    expect([test.eventTypes, [...test.timers.keys()]]).toEqual([['initiated', 'queued', 'answered', 'ended'], []]);
  });

  it('a callback is tried twice at most, five minutes apart', () => {
    const test = calling();
    test.hangUp(test.caller, 'USER_BUSY');
    expect(test.call).toMatchObject({ state: 'queued', callback: { state: 'waiting', attempts: 1 } });
    expect(counted(test, 'end_conversation')).toBe(1);
    const dispatches = counted(test, 'dispatch_employees');
    test.hangUp(test.adaLeg);
    test.pass(5 * MINUTE - 1);
    expect([waitsFor(test.call, ada.id, test.now), counted(test, 'dispatch_employees')]).toEqual([false, dispatches]);
    test.pass(1);
    expect([waitsFor(test.call, ada.id, test.now), counted(test, 'dispatch_employees')]).toEqual([
      true,
      dispatches + 1,
    ]);
    calling(test);
    test.hangUp(test.caller, 'NO_ANSWER');
    expect(test.call).toMatchObject({ state: 'ended', callback: { state: 'given_up' }, answeredAt: null });
    expect(test.call.abandoned).toBeUndefined();
    test.hangUp(test.adaLeg);
    expect([test.eventTypes.slice(-2), test.call.legs, [...test.timers.keys()]]).toEqual([['ended', 'lost'], [], []]);
  });

  it('a callback counts an attempt that the employee ends, and stops calling the caller', () => {
    const test = calling();
    test.hangUp(test.adaLeg);
    expect(test.call.callback).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(test.call.legs).toMatchObject([{ id: test.caller, hangingUp: true }]);
    test.hangUp(test.caller, 'ORIGINATOR_CANCEL');
    expect(test.call.state).toBe('queued');
  });

  it('a callback counts no attempt in which the caller was not called yet, and seeks an employee soon', () => {
    const test = requested();
    const adaLeg = test.ring(ada);
    test.answer(adaLeg);
    test.hangUp(adaLeg);
    expect(test.call).toMatchObject({ state: 'queued', callback: { state: 'waiting', attempts: 0 } });
    test.hangUp(dials(test).at(-1)!.legId, 'ORIGINATOR_CANCEL');
    expect(waitsFor(test.call, bob.id, test.now)).toBe(false);
    test.pass(15);
    expect(waitsFor(test.call, bob.id, test.now)).toBe(true);
    calling(test);
    test.hangUp(test.call.customerLegId, 'USER_BUSY');
    expect(test.call.callback).toMatchObject({ state: 'waiting', attempts: 1 });
  });

  it('a callback tries the next carrier before it counts as failed', () => {
    const test = calling();
    test.hangUp(test.caller, 'NETWORK_OUT_OF_ORDER');
    expect(test.call.callback).toMatchObject({ state: 'calling', attempts: 1 });
    test.settle(dials(test)[1]!, { kind: 'dial', refused: 'NO_CARRIER' });
    expect(test.call.callback).toMatchObject({ state: 'waiting', attempts: 1 });
  });

  it('a callback is given up after four hours, and when the caller is served in another call', () => {
    const test = requested();
    test.pass(4 * 60 * MINUTE);
    expect(test.call).toMatchObject({ state: 'ended', callback: { state: 'given_up' } });
    const other = requested();
    other.ring(ada);
    other.apply({ type: 'callback_replaced' });
    expect(other.call).toMatchObject({ state: 'ended', callback: { state: 'given_up' } });
    expect(counted(other, 'release_offer')).toBe(1);
  });

  it('a callback takes the place of an earlier one of the same caller', () => {
    const test = requested();
    const since = new Date(test.now.getTime() - 600_000);
    test.settle({ kind: 'replace_callbacks' }, { kind: 'replace_callbacks', since });
    expect(test.call.queuedAt).toEqual(since);
  });

  it('a callback goes on when an employee answers before the caller has hung up', () => {
    const test = inbound(transfer(ada), offer);
    const adaLeg = test.ring(ada);
    const caller = test.call.customerLegId;
    pressOne(test);
    permit(test);
    test.answer(adaLeg);
    test.hangUp(caller);
    expect(test.call).toMatchObject({ phase: { kind: 'dialing' }, callback: { state: 'calling' } });
  });

  it('a callback survives the loss of the switch, on the same one or on another one', () => {
    const next = { name: 'two', coreUuid: 'core-2' };
    for (const test of [requested(), calling()]) {
      if (test.call.phase.kind === 'waiting') test.ring(bob);
      test.apply({ type: 'switch_lost', next });
      expect(test.call).toMatchObject({ state: 'queued', legs: [], offeredTo: [], activeFor: [], switch: next });
      const claims = test.commands.filter(({ kind }) => kind === 'release_offer' || kind === 'end_conversation').length;
      const before = test.call;
      test.apply({ type: 'switch_lost' });
      expect(test.call).toBe(before);
      expect(claims).toBeGreaterThan(0);
    }
  });

  it('a callback leaves a switch that takes no new calls while it has no leg there, and nothing else does', () => {
    const next = { name: 'two', coreUuid: 'core-2' };
    const waiting = requested();
    waiting.apply({ type: 'switch_drained', next });
    expect(waiting.call).toMatchObject({ state: 'queued', callback: { state: 'waiting' }, switch: next });
    const ringing = requested();
    ringing.ring(bob);
    for (const test of [ringing, calling()]) {
      const before = test.call;
      test.apply({ type: 'switch_drained', next });
      expect(test.call).toBe(before);
    }
  });
});
