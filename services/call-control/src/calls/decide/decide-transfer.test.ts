import { describe, expect, it } from '@jest/globals';
import { ada, bob, cyd, inbound, inConversation, transfer } from '../../../test/test-call.ts';

const start = (test: ReturnType<typeof inConversation>, { actor = ada, target = bob, id = 'tra_1' } = {}) =>
  test.apply({ type: 'start_transfer', transferId: id, actorId: actor.id, target });

const confirm = (test: ReturnType<typeof inConversation>) =>
  test.settle(
    test.commands.findLast(({ kind }) => kind === 'control')!,
    { kind: 'control', failures: [] },
  );

const join = (test: ReturnType<typeof inConversation>, legId: string, memberId: string) =>
  test.apply({ type: 'conference_joined', legId, memberId, room: test.call.transfers.at(-1)!.room });

const ringing = () => {
  const test = inConversation();
  start(test);
  confirm(test);
  join(test, 'leg-customer', '1');
  join(test, test.adaLeg, '2');
  const targetLeg = test.ringPhone(bob.id);
  test.steps();
  return Object.assign(test, { targetLeg });
};

const consulting = () => {
  const test = ringing();
  test.apply({ type: 'leg_answered', legId: test.targetLeg });
  join(test, test.targetLeg, '3');
  test.steps();
  return test;
};

const complete = (test: ReturnType<typeof inConversation>, actor = ada) =>
  test.apply({ type: 'complete_transfer', transferId: 'tra_1', actorId: actor.id });
const cancel = (test: ReturnType<typeof inConversation>, actor = ada) =>
  test.apply({ type: 'cancel_transfer', transferId: 'tra_1', actorId: actor.id });
const state = (test: ReturnType<typeof inConversation>) => test.call.transfers.at(-1)?.state;

describe('the speakers of the recording', () => {
  it('the speakers of the recording are known from the bridges: by the time, or by the switch', () => {
    const test = consulting();
    test.pass(10);
    complete(test);
    test.bridged(test.targetLeg);
    expect(test.call.conversationSpans).toEqual([
      { employee: ada, recordedMs: 0 },
      { employee: bob, recordedMs: 10_000 },
    ]);
    const other = consulting();
    complete(other);
    other.apply({ type: 'leg_bridged', legId: 'leg-customer', peerId: other.targetLeg, recordedMs: 777 });
    expect(other.call.conversationSpans.at(-1)).toEqual({ employee: bob, recordedMs: 777 });
  });

  it('the speakers of the recording do not change when a transfer is cancelled', () => {
    const test = consulting();
    cancel(test);
    test.bridged(test.adaLeg);
    expect(test.call.conversationSpans).toEqual([{ employee: ada, recordedMs: 0 }]);
  });
});

describe('starting a transfer', () => {
  it('starting a transfer moves the conversation to a conference, holds the customer with music and rings the target', () => {
    const test = inConversation();
    expect(start(test)).toBeUndefined();
    expect(test.call).toMatchObject({ state: 'answered', activeFor: [ada.id, bob.id] });
    const { room } = test.call.transfers[0]!;
    expect(test.steps()).toEqual([{ do: 'join_conference', legId: 'leg-customer', room }]);
    expect(test.commands.some((command) => command.kind === 'ring' && command.room === room)).toBe(false);
    confirm(test);
    expect(test.commands.at(-1)).toMatchObject({ kind: 'ring', employeeId: bob.id, room });
    join(test, 'leg-customer', '7');
    expect(test.steps()).toEqual([{ do: 'hold', room, memberId: '7' }]);
    expect(state(test)).toBe('ringing');
  });

  it.each([
    ['another employee', { actor: cyd }, 'not_controller'],
    ['oneself', { target: ada }, 'invalid_target'],
  ])('starting a transfer by or to %s is refused', (_who, options, code) => {
    expect(start(inConversation(), options)).toBe(code);
  });

  it('starting a transfer while another is open is refused', () => {
    expect(start(ringing(), { id: 'tra_2', target: cyd })).toBe('transfer_in_progress');
  });

  it('starting a transfer outside a conversation is refused', () => {
    const waiting = Object.assign(inbound(transfer(ada)), { adaLeg: '' });
    expect(start(waiting)).toBe('call_not_transferable');
    const ended = inConversation();
    ended.hangUp();
    expect(start(ended)).toBe('call_not_transferable');
  });

  it('starting a transfer that the switch refuses is undone', () => {
    const test = inConversation();
    start(test);
    const order = test.commands.at(-1)!;
    test.settle(order, { kind: 'control', failures: [{ step: 0, reason: '-ERR', noSuchLeg: false }] });
    expect(state(test)).toBe('cancelled');
    expect(test.call.state).toBe('bridged');
  });

  it('starting a transfer that the switch does not confirm stays open until its undoing is confirmed', () => {
    const test = inConversation();
    start(test);
    test.apply({ type: 'abandon_transfer', transferId: 'tra_1' });
    expect(state(test)).toBe('ringing');
    expect(start(test, { id: 'tra_2' })).toBe('transfer_in_progress');
    const [join1, bridge] = test.commands.filter(({ kind }) => kind === 'control').slice(-2);
    test.settle(join1!, { kind: 'control', failures: [] });
    expect(state(test)).toBe('ringing');
    test.settle(bridge!, { kind: 'control', failures: [] });
    expect(state(test)).toBe('cancelled');
    expect(test.call.state).toBe('bridged');
  });

  it('starting a transfer that was confirmed in time is not undone', () => {
    const test = ringing();
    test.apply({ type: 'abandon_transfer', transferId: 'tra_1' });
    expect(test.call.transfers[0]).toMatchObject({ isAbandoned: false, state: 'ringing' });
  });
});

describe('a ringing transfer', () => {
  it('a ringing transfer is consulting once the target answers', () => {
    const test = consulting();
    expect(state(test)).toBe('consulting');
    expect(test.call).toMatchObject({ state: 'answered', employees: [ada] });
    expect(test.timers.has('transfer_ring')).toBe(false);
  });

  it('a ringing transfer is cancelled after 30 seconds, and controller and customer resume', () => {
    const test = ringing();
    test.pass(29);
    expect(state(test)).toBe('ringing');
    test.pass(1);
    expect(state(test)).toBe('cancelled');
    expect(test.call.state).toBe('bridged');
    expect(test.steps().map((step) => step.do)).toEqual(['hang_up', 'release_hold', 'bridge']);
  });

  it('a ringing transfer is cancelled when the target declines or switches do-not-disturb on', () => {
    const declined = ringing();
    declined.hangUp(declined.targetLeg, 'CALL_REJECTED');
    expect(state(declined)).toBe('cancelled');
    const disturbed = ringing();
    disturbed.apply({ type: 'withdraw_offer', employeeId: bob.id });
    expect(state(disturbed)).toBe('cancelled');
  });

  it('a ringing transfer cannot be completed', () => {
    const test = ringing();
    expect(complete(test)).toBe('transfer_not_consulting');
    expect(state(test)).toBe('ringing');
  });

  it('a ringing transfer lets a phone that answers after the cancellation go', () => {
    const test = ringing();
    cancel(test);
    test.apply({ type: 'leg_answered', legId: test.targetLeg });
    expect(state(test)).toBe('cancelled');
  });
});

describe('completing', () => {
  it.each([ada, bob])('completing a transfer by $name connects customer and target', (actor) => {
    const test = consulting();
    expect(complete(test, actor)).toBeUndefined();
    expect(state(test)).toBe('completed');
    expect(test.call).toMatchObject({ state: 'bridged', employees: [ada, bob], activeFor: [bob.id] });
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.adaLeg },
      { do: 'release_hold', memberId: '1' },
      { do: 'bridge', legId: 'leg-customer', peerId: test.targetLeg },
    ]);
    test.hangUp(test.adaLeg);
    test.bridged(test.targetLeg);
    expect(test.call.state).toBe('bridged');
    expect(complete(test, actor)).toBeUndefined();
    test.hangUp(test.targetLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
  });

  it('completing a transfer by another employee is refused', () => {
    expect(complete(consulting(), cyd)).toBe('not_participant');
  });

  it('completing a transfer makes the target the controller, who may transfer on', () => {
    const test = consulting();
    complete(test);
    expect(start(test, { id: 'tra_2', actor: ada, target: cyd })).toBe('not_controller');
    expect(start(test, { id: 'tra_2', actor: bob, target: cyd })).toBeUndefined();
  });

  it('completing and cancelling a transfer exclude each other', () => {
    const completed = consulting();
    complete(completed);
    expect(cancel(completed)).toBe('transfer_not_open');
    const cancelled = consulting();
    cancel(cancelled);
    expect(complete(cancelled)).toBe('transfer_not_open');
    expect(cancel(cancelled)).toBeUndefined();
  });

  it('completing an unknown transfer answers that it is not found', () => {
    const test = inConversation();
    expect(complete(test)).toBe('not_found');
    expect(cancel(test)).toBe('not_found');
  });
});

describe('cancelling', () => {
  it.each([ringing, consulting])(
    'cancelling a transfer drops the target and releases the customer to the controller (%#)',
    (begin) => {
      const test = begin();
      expect(cancel(test)).toBeUndefined();
      expect(test.steps()).toMatchObject([
        { do: 'hang_up', legId: test.targetLeg },
        { do: 'release_hold', memberId: '1' },
        { do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg },
      ]);
      expect(test.call).toMatchObject({ state: 'bridged', activeFor: [ada.id], employees: [ada] });
    },
  );

  it('cancelling a transfer by the target is refused', () => {
    expect(cancel(consulting(), bob)).toBe('not_controller');
  });
});

describe('an open transfer', () => {
  it.each([ringing, consulting])('an open transfer fails when the customer hangs up (%#)', (begin) => {
    const test = begin();
    test.hangUp();
    expect(state(test)).toBe('failed');
    expect(test.call).toMatchObject({ state: 'ended', activeFor: [] });
    const hungUp = test.steps().flatMap((step) => (step.do === 'hang_up' ? [step.legId] : []));
    expect(hungUp.toSorted()).toEqual([test.adaLeg, test.targetLeg].toSorted());
  });

  it.each([ringing, consulting])('an open transfer fails with the call when the controller hangs up (%#)', (begin) => {
    const test = begin();
    test.hangUp(test.adaLeg);
    expect(state(test)).toBe('failed');
    test.hangUp();
    expect(test.call.state).toBe('ended');
  });

  it('an open transfer resumes when the target hangs up during the consultation', () => {
    const test = consulting();
    test.hangUp(test.targetLeg);
    expect(state(test)).toBe('cancelled');
    expect(test.call.state).toBe('bridged');
  });

  it('an open transfer fails when the switch restarts', () => {
    const test = consulting();
    test.apply({ type: 'switch_restarted' });
    expect(state(test)).toBe('failed');
  });
});
