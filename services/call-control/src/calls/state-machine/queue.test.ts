import { describe, expect, it } from '@jest/globals';
import { waitsFor } from './queue.ts';
import { ada, bob, cyd, inbound, transfer, voicemail } from './test-call.ts';

describe('a waiting call', () => {
  it('rings everybody; the first to answer wins and the others stop', () => {
    const test = inbound(transfer(ada, bob, cyd));
    const [adaLeg, bobLeg] = [test.ring(ada), test.ring(bob)];
    expect(test.call).toMatchObject({ state: 'transferring', offeredTo: [ada.id, bob.id] });
    test.steps();
    test.apply({ type: 'leg_answered', legId: bobLeg });
    expect(test.call).toMatchObject({ state: 'answered', employees: [bob], activeFor: [bob.id] });
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: adaLeg, cause: 'LOSE_RACE' }]);
    test.apply({ type: 'leg_parked', legId: bobLeg, arrival: null });
    expect(test.steps()).toEqual([
      { do: 'start_recording', legId: 'leg-customer', recording: 'cal_1-1' },
      { do: 'bridge', legId: 'leg-customer', peerId: bobLeg },
    ]);
    test.bridged(bobLeg);
    expect(test.call.state).toBe('bridged');
    expect(test.eventTypes).toEqual(['initiated', 'queued', 'answered']);
    expect([...test.timers.keys()]).toEqual(['max_length']);
  });

  it('starts the conversation before it ends the offer', () => {
    const test = inbound(transfer(ada));
    test.answer(test.ring(ada));
    const kinds = test.commands.map(({ kind }) => kind);
    expect(kinds.indexOf('start_conversation')).toBeLessThan(kinds.indexOf('release_offer'));
  });

  it('connects the employee who answers, also when phones ring together', () => {
    const test = inbound(transfer(ada, bob));
    test.apply({ type: 'offer', employee: ada });
    test.apply({ type: 'offer', employee: bob });
    test.ringPhone(ada.id);
    test.answer(test.ringPhone(bob.id));
    expect(test.call).toMatchObject({ state: 'answered', employees: [bob] });
  });

  it('lets the second of two simultaneous answers lose', () => {
    const test = inbound(transfer(ada, bob));
    const [adaLeg, bobLeg] = [test.ring(ada), test.ring(bob)];
    test.apply({ type: 'leg_answered', legId: adaLeg });
    test.apply({ type: 'leg_answered', legId: bobLeg });
    expect(test.eventTypes.filter((type) => type === 'answered')).toHaveLength(1);
    expect(test.call.employees).toEqual([ada]);
  });

  it('passes over an employee who declined for 15 seconds', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.hangUp(leg, 'CALL_REJECTED');
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [] });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([]);
    test.pass(15);
    expect(test.commands.at(-1)).toEqual({ kind: 'seek_employees' });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('rings each of several employees who declined again after their own 15 seconds', () => {
    const test = inbound(transfer(ada, bob));
    const [first, second] = [test.ring(ada), test.ring(bob)];
    test.hangUp(first, 'CALL_REJECTED');
    test.pass(10);
    test.hangUp(second, 'CALL_REJECTED');
    const sought = () => test.commands.filter(({ kind }) => kind === 'seek_employees').length;
    const before = sought();
    test.pass(5);
    expect(sought()).toBe(before + 1);
    expect([ada, bob].map(({ id }) => waitsFor(test.call, id, test.now))).toEqual([true, false]);
    test.pass(10);
    expect(sought()).toBe(before + 2);
    expect(waitsFor(test.call, bob.id, test.now)).toBe(true);
  });

  it('passes nobody over for longer, also when the clock was moved back meanwhile', () => {
    const test = inbound(transfer(ada));
    test.pass(7200);
    test.hangUp(test.ring(ada), 'CALL_REJECTED');
    test.now = new Date(test.now.getTime() - 7_200_000);
    test.apply({ type: 'timer', name: 'passed_over' });
    expect(test.commands.at(-1)).toEqual({ kind: 'seek_employees' });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('does not ring an employee twice, or one it does not wait for', () => {
    const test = inbound(transfer(ada));
    test.ring(ada);
    test.apply({ type: 'offer', employee: ada });
    test.apply({ type: 'offer', employee: cyd });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('withdraws the offer of an employee on do-not-disturb', () => {
    const test = inbound(transfer(ada, bob));
    const leg = test.ring(ada);
    test.ring(bob);
    test.steps();
    test.apply({ type: 'withdraw_offer', employeeId: ada.id });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: leg }]);
    expect(test.call).toMatchObject({ state: 'transferring', offeredTo: [bob.id] });
  });

  it('rings an employee again immediately who did not decline: after do-not-disturb, and after a phone went offline', () => {
    const test = inbound(transfer(ada));
    test.ring(ada);
    test.apply({ type: 'withdraw_offer', employeeId: ada.id });
    const leg = test.ring(ada);
    expect(test.call.offeredTo).toEqual([ada.id]);
    test.apply({ type: 'phone_lost', legIds: [leg] });
    test.hangUp(leg, 'NORMAL_CLEARING');
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [] });
    test.ring(ada);
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('counts an employee without a phone as passed over', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'ring', rung: [] });
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [], legIds: ['leg-customer'] });
  });

  it('queries the switch after a ring command with an unknown outcome', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'unknown' });
    const check = test.commands.at(-1)!;
    expect(check).toEqual({ kind: 'check_legs', legIds: order.kind === 'ring' ? order.legIds : [] });
    test.settle(check, { kind: 'check_legs', existing: [] });
    expect(test.call.offeredTo).toEqual([]);
  });

  it('stops ringing when the caller cancels', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.steps();
    test.hangUp('leg-customer', 'ORIGINATOR_CANCEL');
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: leg, cause: 'ORIGINATOR_CANCEL' }]);
    expect(test.commands.at(-1)).toMatchObject({ kind: 'release_offer', employeeId: ada.id });
    expect(test.call.state).toBe('ended');
  });

  it('does not connect a phone that answered too late', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: voicemail } });
    const leg = test.ring(ada);
    test.pass(15);
    expect(test.call.state).toBe('playing_audio');
    test.apply({ type: 'leg_answered', legId: leg });
    expect(test.call).toMatchObject({ state: 'playing_audio', answeredAt: null, employees: [] });
  });
});
