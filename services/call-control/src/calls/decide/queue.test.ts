import { describe, expect, it } from '@jest/globals';
import { ringingOrder, waitsFor } from './queue.ts';
import { ada, bob, cyd, inbound, transfer, voicemail } from '../../../test/test-call.ts';

describe('a waiting call', () => {
  it('a waiting call rings everybody; the first to answer wins and the others stop', () => {
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

  it('a waiting call starts the conversation before it ends the offer', () => {
    const test = inbound(transfer(ada));
    test.answer(test.ring(ada));
    const kinds = test.commands.map(({ kind }) => kind);
    expect(kinds.indexOf('start_conversation')).toBeLessThan(kinds.indexOf('release_offer'));
  });

  it('a waiting call connects the employee who answers, also when phones ring together', () => {
    const test = inbound(transfer(ada, bob));
    test.apply({ type: 'offer', employee: ada });
    test.apply({ type: 'offer', employee: bob });
    test.ringPhone(ada.id);
    test.answer(test.ringPhone(bob.id));
    expect(test.call).toMatchObject({ state: 'answered', employees: [bob] });
  });

  it('a waiting call lets the second of two simultaneous answers lose', () => {
    const test = inbound(transfer(ada, bob));
    const [adaLeg, bobLeg] = [test.ring(ada), test.ring(bob)];
    test.apply({ type: 'leg_answered', legId: adaLeg });
    test.apply({ type: 'leg_answered', legId: bobLeg });
    expect(test.eventTypes.filter((type) => type === 'answered')).toHaveLength(1);
    expect(test.call.employees).toEqual([ada]);
  });

  it('a waiting call passes over an employee who declined for 15 seconds', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.hangUp(leg, 'CALL_REJECTED');
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [] });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([]);
    test.pass(15);
    expect(test.commands.at(-1)).toEqual({ kind: 'dispatch_employees' });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('a waiting call rings each of several employees who declined again after their own 15 seconds', () => {
    const test = inbound(transfer(ada, bob));
    const [first, second] = [test.ring(ada), test.ring(bob)];
    test.hangUp(first, 'CALL_REJECTED');
    test.pass(10);
    test.hangUp(second, 'CALL_REJECTED');
    const dispatches = () => test.commands.filter(({ kind }) => kind === 'dispatch_employees').length;
    const before = dispatches();
    test.pass(5);
    expect(dispatches()).toBe(before + 1);
    expect([ada, bob].map(({ id }) => waitsFor(test.call, id, test.now))).toEqual([true, false]);
    test.pass(10);
    expect(dispatches()).toBe(before + 2);
    expect(waitsFor(test.call, bob.id, test.now)).toBe(true);
  });

  it('a waiting call excludes nobody for longer, also when the clock was moved back meanwhile', () => {
    const test = inbound(transfer(ada));
    test.pass(7200);
    test.hangUp(test.ring(ada), 'CALL_REJECTED');
    test.now = new Date(test.now.getTime() - 7_200_000);
    test.apply({ type: 'timer', name: 'passed_over' });
    expect(test.commands.at(-1)).toEqual({ kind: 'dispatch_employees' });
    test.apply({ type: 'offer', employee: ada });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('a waiting call does not ring an employee twice, or one it does not wait for', () => {
    const test = inbound(transfer(ada));
    test.ring(ada);
    test.apply({ type: 'offer', employee: ada });
    test.apply({ type: 'offer', employee: cyd });
    expect(test.call.offeredTo).toEqual([ada.id]);
  });

  it('a waiting call withdraws the offer of an employee on do-not-disturb', () => {
    const test = inbound(transfer(ada, bob));
    const leg = test.ring(ada);
    test.ring(bob);
    test.steps();
    test.apply({ type: 'withdraw_offer', employeeId: ada.id });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: leg }]);
    expect(test.call).toMatchObject({ state: 'transferring', offeredTo: [bob.id] });
  });

  it('a waiting call rings an employee again immediately who did not decline: after do-not-disturb, and after a phone went offline', () => {
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

  it('a waiting call treats an employee without a phone like one who declined', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'ring', rung: [] });
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [], legIds: ['leg-customer'] });
  });

  it('a waiting call queries the switch after a ring command with an unknown outcome', () => {
    const test = inbound(transfer(ada));
    test.apply({ type: 'offer', employee: ada });
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'unknown' });
    const check = test.commands.at(-1)!;
    expect(check).toEqual({ kind: 'check_legs', legIds: order.kind === 'ring' ? order.legIds : [] });
    test.settle(check, { kind: 'check_legs', existing: [] });
    expect(test.call.offeredTo).toEqual([]);
  });

  it('a waiting call stops ringing when the caller cancels', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.steps();
    test.hangUp('leg-customer', 'ORIGINATOR_CANCEL');
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: leg, cause: 'ORIGINATOR_CANCEL' }]);
    expect(test.commands.at(-1)).toMatchObject({ kind: 'release_offer', employeeId: ada.id });
    expect(test.call.state).toBe('ended');
  });

  it('a waiting call does not connect a phone that answered too late', () => {
    const test = inbound(transfer(ada), { noAnswer: { timeoutSecs: 15, flow: voicemail } });
    const leg = test.ring(ada);
    test.pass(15);
    expect(test.call.state).toBe('playing_audio');
    test.apply({ type: 'leg_answered', legId: leg });
    expect(test.call).toMatchObject({ state: 'playing_audio', answeredAt: null, employees: [] });
  });
});

describe('ringing one employee after the other', () => {
  const inOrder = (...employees: { id: string }[]) => inbound(transfer(...employees), { ringStrategy: 'in_order' });
  const dispatches = (test: ReturnType<typeof inbound>) =>
    test.commands.filter(({ kind }) => kind === 'dispatch_employees').length;
  const idle = (...employees: { id: string }[]) => employees.map(({ id }) => ({ id, since: null }));

  it('ringing one employee after the other rings nobody else while one rings', () => {
    const test = inOrder(ada, bob);
    test.ring(ada);
    test.apply({ type: 'offer', employee: bob });
    expect(test.call.offeredTo).toEqual([ada.id]);
    expect(waitsFor(test.call, bob.id, test.now)).toBe(false);
  });

  it('ringing one employee after the other gives up after 20 seconds and looks for the next', () => {
    const test = inOrder(ada, bob);
    const leg = test.ring(ada);
    const before = dispatches(test);
    test.pass(19);
    expect([test.call.offeredTo, dispatches(test)]).toEqual([[ada.id], before]);
    test.steps();
    test.pass(1);
    expect(test.steps()).toEqual([{ do: 'hang_up', legId: leg, cause: 'NO_ANSWER' }]);
    expect([test.call.offeredTo, dispatches(test), test.call.state]).toEqual([[], before + 1, 'queued']);
    expect(test.commands).toContainEqual({ kind: 'release_offer', employeeId: ada.id });
    // The phone that was given up ends later, and moves nothing on.
    test.ring(bob);
    test.hangUp(leg, 'NO_ANSWER');
    expect(test.call).toMatchObject({ offeredTo: [bob.id], state: 'transferring' });
  });

  it('ringing one employee after the other does not give up an employee for the time of the one before', () => {
    const test = inOrder(ada, bob);
    test.hangUp(test.ring(ada), 'CALL_REJECTED');
    test.pass(5);
    test.ring(bob);
    test.pass(16);
    expect(test.call.offeredTo).toEqual([bob.id]);
    test.pass(4);
    expect(test.call.offeredTo).toEqual([]);
  });

  it('ringing one employee after the other looks for the next at once when one declines, is on do-not-disturb or has no phone', () => {
    const test = inOrder(ada, bob, cyd);
    const before = dispatches(test);
    test.hangUp(test.ring(ada), 'CALL_REJECTED');
    expect(dispatches(test)).toBe(before + 1);
    test.ring(bob);
    test.apply({ type: 'withdraw_offer', employeeId: bob.id });
    expect(dispatches(test)).toBe(before + 2);
    test.apply({ type: 'offer', employee: cyd });
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'ring')!,
      { kind: 'ring', rung: [] },
    );
    expect(dispatches(test)).toBe(before + 3);
  });

  it('ringing one employee after the other tries everybody before anybody a second time, in the order of the routing', () => {
    const test = inOrder(ada, bob, cyd);
    const rung: string[] = [];
    for (let turn = 0; turn < 7; turn++) {
      const [next = ''] = ringingOrder(test.call, idle(cyd, ada, bob));
      rung.push(next);
      test.ring([ada, bob, cyd].find(({ id }) => id === next)!);
      test.pass(20);
    }
    expect(rung).toEqual([ada, bob, cyd, ada, bob, cyd, ada].map(({ id }) => id));
  });

  it('ringing one employee after the other begins with who has been without a call for the longest time', () => {
    const test = inbound(transfer(ada, bob, cyd), { ringStrategy: 'longest_idle' });
    const since = (time: string) => new Date(`2026-03-02T${time}:00Z`);
    const available = [
      { id: ada.id, since: since('09:30') },
      { id: bob.id, since: since('08:00') },
      { id: cyd.id, since: since('09:00') },
    ];
    expect(ringingOrder(test.call, available)).toEqual([bob.id, cyd.id, ada.id]);
    test.ring(bob);
    test.pass(20);
    expect(ringingOrder(test.call, available)).toEqual([cyd.id, ada.id, bob.id]);
    // An employee who never had a call comes first.
    expect(ringingOrder(test.call, [...available.slice(2), { id: ada.id, since: null }])).toEqual([ada.id, cyd.id]);
  });

  it('ringing one employee after the other stops when one answers, when the caller hangs up and when the no-answer flow takes over', () => {
    const answered = inOrder(ada, bob);
    answered.answer(answered.ring(ada));
    expect([...answered.timers.keys()]).not.toContain('ring_next');
    const ended = inOrder(ada, bob);
    ended.ring(ada);
    ended.hangUp();
    expect([...ended.timers.keys()]).toEqual([]);
    const timeout = { timeoutSecs: 15, flow: voicemail };
    const unanswered = inbound(transfer(ada, bob), { ringStrategy: 'in_order', noAnswer: timeout });
    unanswered.ring(ada);
    unanswered.pass(15);
    expect([unanswered.call.state, [...unanswered.timers.keys()].includes('ring_next')]).toEqual([
      'playing_audio',
      false,
    ]);
  });
});
