import { describe, expect, it } from '@jest/globals';
import { ada, bob, inbound, inConversation, transfer } from '../../../test/test-call.ts';

describe('a conversation', () => {
  it('a conversation ends when the customer hangs up', () => {
    const test = inConversation();
    test.pass(61.5);
    test.apply({ type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-1', durationMs: 61_000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: 61, employees: [ada], activeFor: [] });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.adaLeg }]);
    expect(test.eventTypes).toEqual(['initiated', 'queued', 'answered', 'ended']);
    expect(test.commands.slice(-3).map(({ kind }) => kind)).toEqual([
      'end_conversation',
      'control',
      'upload_recording',
    ]);
  });

  it('a conversation ends when the employee hangs up', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    expect(test.call.state).toBe('bridged');
    test.hangUp();
    expect(test.call.state).toBe('ended');
  });

  it('a conversation ends when the customer leg no longer exists', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg);
    const order = test.commands.findLast(({ kind }) => kind === 'control')!;
    test.settle(order, { kind: 'control', failures: [{ step: 0, reason: '-ERR No such channel!', noSuchLeg: true }] });
    expect(test.call.state).toBe('ended');
  });

  it('a conversation is not recorded where recording is disabled', () => {
    const test = inbound(transfer(ada), { recording: false });
    test.answer(test.ring(ada));
    expect(test.call.recordings).toEqual([]);
  });

  it('a conversation is bridged again when the switch does not report it', () => {
    const test = inbound(transfer(ada));
    const leg = test.ring(ada);
    test.answer(leg);
    test.steps();
    test.pass(5);
    expect(test.steps()).toEqual([{ do: 'bridge', legId: 'leg-customer', peerId: leg }]);
  });

  it('a conversation ends exactly once when the switch restarts', () => {
    const test = inConversation();
    test.apply({ type: 'switch_restarted' });
    test.apply({ type: 'switch_restarted' });
    expect(test.eventTypes).toEqual(['initiated', 'queued', 'answered', 'ended']);
    expect(test.call.legs).toEqual([]);
  });
});

describe('a phone that is lost in a conversation', () => {
  const returned = { type: 'phone_returned', legId: 'leg-new', employeeId: ada.id } as const;

  it('a phone that is lost in a conversation returns with another leg while its first one still exists', () => {
    const test = inConversation();
    test.apply(returned);
    expect(test.steps()).toEqual([
      { do: 'take', legId: 'leg-new' },
      { do: 'answer', legId: 'leg-new' },
      { do: 'bridge', legId: 'leg-customer', peerId: 'leg-new' },
      { do: 'hang_up', legId: test.adaLeg, cause: 'NORMAL_CLEARING' },
    ]);
    test.apply({ type: 'leg_answered', legId: 'leg-new' });
    test.bridged('leg-new');
    test.hangUp(test.adaLeg);
    expect(test.call).toMatchObject({
      state: 'bridged',
      phase: { kind: 'talking', legId: 'leg-new' },
      employees: [ada],
    });
    expect(test.call.conversationSpans).toHaveLength(1);
    test.hangUp('leg-new');
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
  });

  it('a phone that is lost in a conversation returns after its leg has ended; only then the call goes on', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
    test.pass(9);
    expect([test.steps(), test.call.state]).toEqual([[], 'bridged']);
    test.apply(returned);
    test.pass(2);
    expect(test.steps().map((step) => step.do)).toEqual(['take', 'answer', 'bridge']);
  });

  it.each(['after', 'before'])(
    'a phone that is lost in a conversation leaves the customer with music, parked %s the end of the leg',
    (order) => {
      const test = inConversation();
      const park = () => test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
      if (order === 'before') park();
      test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
      if (order === 'after') park();
      expect(test.steps()).toMatchObject([{ do: 'play', legId: 'leg-customer', audio: { kind: 'music' } }]);
    },
  );

  it('a phone that is lost in a conversation ends the call when it does not return', () => {
    const test = inConversation();
    test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT');
    test.pass(10);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    test.apply(returned);
    expect(test.call.legs.map(({ id }) => id)).toEqual(['leg-customer']);
  });

  it('a phone that is lost in a conversation returns once, and nobody else in its place', () => {
    const test = inConversation();
    test.apply({ ...returned, employeeId: bob.id });
    expect(test.steps()).toEqual([]);
    test.apply(returned);
    test.steps();
    test.apply(returned);
    expect(test.steps()).toEqual([]);
  });

  it('a phone that is lost in a conversation does not return during a transfer', () => {
    const test = inConversation();
    test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob });
    test.steps();
    test.apply(returned);
    expect(test.steps()).toEqual([]);
  });
});
