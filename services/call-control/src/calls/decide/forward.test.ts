import { describe, expect, it } from '@jest/globals';
import type { CallFlow, ForwardFlow } from '../model/call-flow.ts';
import { waitsFor } from './queue.ts';
import { ada, bob, inbound, rejection, type TestCall, transfer, voicemail } from '../../../test/test-call.ts';

const MOBILE = '+4540506070';
const forward = (more: Partial<ForwardFlow> = {}): ForwardFlow => ({
  type: 'forward',
  phoneNumber: MOBILE,
  timeoutSecs: 30,
  confirm: true,
  ...more,
});

const dials = (test: TestCall) => test.commands.flatMap((command) => (command.kind === 'dial' ? [command] : []));
const orders = (test: TestCall) => test.steps().map((step) => ('audio' in step ? `play ${step.audio.kind}` : step.do));

/** The mobile rings. */
function forwarded(flow: CallFlow = forward(), more: Parameters<typeof inbound>[1] = {}) {
  const test = inbound(flow, more);
  const [dial] = dials(test);
  test.settle(dial!, { kind: 'dial', refused: null });
  const heard = orders(test);
  return Object.assign(test, { mobile: dial!.legId, heard });
}

/** The mobile has answered and hears what to press. */
function asked(more: Parameters<typeof inbound>[1] = {}) {
  const test = forwarded(forward(), more);
  test.settle({ kind: 'prepare_key_prompt' }, { kind: 'prepare_key_prompt', contentHash: 'press-1' });
  test.answer(test.mobile);
  return test;
}

describe('an employee who is rung outside', () => {
  const offered = (more: Parameters<typeof inbound>[1] = {}) => {
    const test = inbound(transfer(ada, bob), more);
    test.apply({ type: 'offer', employee: ada, forwardTo: MOBILE });
    const [dial] = dials(test);
    test.settle(dial!, { kind: 'dial', refused: null });
    return Object.assign(test, { mobile: dial!.legId });
  };

  it('an employee who is rung outside takes the call with key 1, and is the one who answered', () => {
    const test = offered();
    const bobLeg = test.ring(bob);
    test.answer(test.mobile);
    expect(test.call.state).toBe('transferring');
    test.apply({ type: 'digit', legId: test.mobile, digit: '1' });
    expect(test.call).toMatchObject({ employees: [ada], phase: { kind: 'talking', legId: test.mobile } });
    expect(test.call.legs.find(({ id }) => id === bobLeg)?.hangingUp).toBe(true);
    test.bridged(test.mobile);
    expect([test.call.state, [...test.timers.keys()]]).toEqual(['bridged', ['max_length']]);
  });

  it('an employee who is rung outside loses against a colleague who answers while the mobile is asked for the key', () => {
    const test = offered();
    const bobLeg = test.ring(bob);
    test.answer(test.mobile);
    test.answer(bobLeg);
    test.apply({ type: 'digit', legId: test.mobile, digit: '1' });
    expect(test.call).toMatchObject({ employees: [bob], phase: { kind: 'talking', legId: bobLeg } });
    expect(test.timers.has('outside_leg')).toBe(false);
  });

  it.each<[string, (test: ReturnType<typeof offered>) => void]>([
    ['does not answer', (test) => test.pass(46)],
    ['presses no key', (test) => (test.answer(test.mobile), test.pass(21))],
    ['hangs up', (test) => test.hangUp(test.mobile, 'USER_BUSY')],
    ['may not be called', (test) => test.settle(dials(test)[0]!, { kind: 'dial', refused: 'OUTGOING_CALL_BARRED' })],
  ])('an employee who is rung outside is not rung again for a while when the mobile %s', (_, fail) => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada, forwardTo: MOBILE });
    const mobile = dials(test)[0]!.legId;
    fail(Object.assign(test, { mobile }));
    expect(test.call.state).toBe('queued');
    expect(test.commands.filter(({ kind }) => kind === 'release_offer')).toHaveLength(1);
    expect(waitsFor(test.call, ada.id, test.now)).toBe(false);
    test.pass(16);
    expect(waitsFor(test.call, ada.id, test.now)).toBe(true);
  });

  it('an employee who is rung outside is tried over the next carrier when the network fails', () => {
    const test = offered();
    test.hangUp(test.mobile, 'NETWORK_OUT_OF_ORDER');
    expect(dials(test)[1]).toMatchObject({ carrier: 1, to: MOBILE });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });
});

describe('a forwarded call', () => {
  it('a forwarded call rings outside as the business number while the caller hears the wait audio', () => {
    const test = forwarded();
    expect(dials(test)).toEqual([
      { kind: 'dial', legId: test.mobile, to: MOBILE, carrier: 0, timeoutSecs: 35, asks: true },
    ]);
    expect(test.heard).toEqual(['take', 'answer', 'play ringtone']);
    expect([test.call.state, test.call.answeredAt, test.eventTypes]).toEqual(['transferring', null, ['initiated']]);
  });

  it('a forwarded call is connected when who answers presses 1, and answered by no employee', () => {
    const test = asked();
    expect(orders(test)).toEqual(['play prompt', 'play prompt', 'play prompt']);
    test.apply({ type: 'digit', legId: test.mobile, digit: '5' });
    expect(test.call.answeredAt).toBeNull();
    test.apply({ type: 'digit', legId: test.mobile, digit: '1' });
    expect(orders(test)).toEqual(['stop_audio', 'bridge']);
    test.bridged(test.mobile);
    expect(test.call).toMatchObject({ state: 'bridged', answeredAt: test.now, employees: [], activeFor: [] });
    expect(test.call.recordings).toEqual([]);
    test.pass(60);
    test.hangUp(test.mobile);
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 60 });
    expect(test.eventTypes).toEqual(['initiated', 'answered', 'ended']);
  });

  it('a forwarded call asks for the key once its audio exists, also after the answer', () => {
    const test = forwarded();
    test.answer(test.mobile);
    expect(orders(test)).toEqual([]);
    test.settle({ kind: 'prepare_key_prompt' }, { kind: 'prepare_key_prompt', contentHash: 'press-1' });
    expect(orders(test)).toEqual(['play prompt', 'play prompt', 'play prompt']);
  });

  it('a forwarded call is connected at once where no key is required', () => {
    const test = forwarded(forward({ confirm: false }));
    expect(test.commands.some(({ kind }) => kind === 'prepare_key_prompt')).toBe(false);
    test.answer(test.mobile);
    expect(orders(test)).toEqual(['bridge']);
  });

  const failures: [string, (test: ReturnType<typeof asked>) => void][] = [
    ['is busy', (test) => test.hangUp(test.mobile, 'USER_BUSY')],
    ['hangs up instead of pressing the key', (test) => (test.answer(test.mobile), test.hangUp(test.mobile))],
    ['does not answer in time', (test) => test.pass(31)],
    ['is a mailbox, which presses no key', (test) => (test.pass(25), test.answer(test.mobile), test.pass(21))],
  ];
  it.each(failures)('a forwarded call runs the no-answer flow when the mobile %s', (_, fail) => {
    const test = forwarded(forward(), { noAnswer: { timeoutSecs: 15, flow: voicemail } });
    fail(test);
    expect([test.call.state, test.call.phase.kind]).toEqual(['playing_audio', 'greeting']);
    expect(test.call.legs.every(({ id, hangingUp }) => id === test.call.customerLegId || hangingUp)).toBe(true);
    expect(test.timers.has('outside_leg')).toBe(false);
  });

  it('a forwarded call ends as a lost call when it is not answered and there is no such flow', () => {
    const test = forwarded();
    test.pass(31);
    test.hangUp(test.mobile, 'NO_ANSWER');
    test.hangUp();
    expect([test.call.state, test.eventTypes]).toEqual(['ended', ['initiated', 'ended', 'lost']]);
  });

  it('a forwarded call may be the no-answer flow itself, once', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: forward() } });
    const leg = test.ring(ada);
    test.pass(15);
    expect([test.call.state, test.call.phase.kind]).toEqual(['transferring', 'forwarding']);
    test.hangUp(leg);
    test.pass(31);
    expect(test.call.phase.kind).toBe('hanging_up');
  });

  it('a forwarded call tries the next carrier when the network fails, and gives up without another one', () => {
    const test = forwarded(forward(), { noAnswer: { timeoutSecs: 15, flow: rejection } });
    test.hangUp(test.mobile, 'NETWORK_OUT_OF_ORDER');
    const second = dials(test)[1]!;
    expect(second).toMatchObject({ carrier: 1, to: MOBILE });
    test.settle(second, { kind: 'dial', refused: 'NO_CARRIER' });
    expect([dials(test).length, test.call.phase.kind]).toEqual([2, 'message']);
  });

  it('a forwarded call does not call the caller back, which would go on for ever', () => {
    const test = inbound(forward({ phoneNumber: '+4520304050' }), { noAnswer: { timeoutSecs: 15, flow: voicemail } });
    expect([dials(test), test.call.phase.kind]).toEqual([[], 'greeting']);
  });

  it('a forwarded call stops ringing outside when the caller hangs up', () => {
    const test = forwarded();
    test.hangUp();
    expect(orders(test)).toEqual(['hang_up']);
    test.hangUp(test.mobile, 'ORIGINATOR_CANCEL');
    expect([test.call.state, test.call.abandoned, test.call.legs, [...test.timers.keys()]]).toEqual([
      'ended',
      true,
      [],
      [],
    ]);
  });

  it('a forwarded call cannot be held or transferred by an employee', () => {
    const test = asked();
    test.apply({ type: 'digit', legId: test.mobile, digit: '1' });
    test.bridged(test.mobile);
    expect(test.apply({ type: 'hold', actorId: ada.id, on: true })).toBe('call_not_in_conversation');
    const transferred = { type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: ada } as const;
    expect(test.apply(transferred)).toBe('call_not_transferable');
  });
});
