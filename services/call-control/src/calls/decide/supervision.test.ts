import { describe, expect, it } from '@jest/globals';
import { ada, bob, cyd, inbound, inConversation, type TestCall, transfer } from '../../../test/test-call.ts';

const supervise = (test: TestCall, mode: 'listen' | 'whisper' | 'barge' = 'listen', supervisor = cyd) =>
  test.apply({ type: 'supervise', supervisor, mode });

/** Cyd listens to Ada. */
const supervised = () => {
  const test = inConversation();
  supervise(test);
  const cydLeg = test.ringPhone(cyd.id);
  test.answer(cydLeg);
  return Object.assign(test, { cydLeg });
};

const watched = (test: TestCall) => test.steps().filter((step) => step.do === 'supervise');
const noted = (test: TestCall) =>
  test.call.timeline.filter(({ type }) => type === 'supervision').map(({ what, detail }) => [what, detail]);

describe('supervision', () => {
  it('supervision rings the supervisor, who then hears the employee in conversation', () => {
    const test = supervised();
    expect(watched(test)).toMatchObject([{ legId: test.cydLeg, watchedLegId: test.adaLeg, mode: 'listen' }]);
    expect(test.commands).toContainEqual({ kind: 'start_conversation', employeeId: cyd.id });
    expect(test.call).toMatchObject({ state: 'bridged', offeredTo: [cyd.id], activeFor: [ada.id], employees: [ada] });
    expect(noted(test)).toEqual([
      ['supervision_requested', 'listen'],
      ['supervision_started', 'listen'],
    ]);
  });

  it('supervision changes its mode, also while the phones ring, and does nothing for the same one', () => {
    const test = inConversation();
    supervise(test);
    supervise(test, 'whisper');
    test.answer(test.ringPhone(cyd.id));
    expect(watched(test)).toMatchObject([{ mode: 'whisper' }]);
    supervise(test, 'whisper');
    expect(watched(test)).toEqual([]);
    supervise(test, 'barge');
    const legId = test.call.supervision!.legIds[0]!;
    expect(test.steps()).toEqual([{ do: 'park', legId }]);
    test.apply({ type: 'leg_parked', legId, arrival: null });
    expect(watched(test)).toMatchObject([{ mode: 'barge', watchedLegId: test.adaLeg }]);
  });

  it('supervision is refused outside a conversation, to who is in it, and while somebody else supervises', () => {
    expect(supervise(inbound(transfer(ada)))).toBe('call_not_in_conversation');
    const test = supervised();
    expect(supervise(test, 'listen', ada)).toBe('employee_unavailable');
    expect(supervise(test, 'listen', bob)).toBe('supervision_in_progress');
  });

  it('supervision follows the customer to the target of a warm transfer', () => {
    const test = supervised();
    test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob });
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'control')!,
      { kind: 'control', failures: [] },
    );
    const bobLeg = test.ringPhone(bob.id);
    test.apply({ type: 'leg_answered', legId: bobLeg });
    test.apply({ type: 'complete_transfer', transferId: 'tra_1', actorId: ada.id });
    test.steps();
    test.bridged(bobLeg);
    expect(watched(test)).toMatchObject([{ legId: test.cydLeg, watchedLegId: bobLeg }]);
  });

  it.each([
    ['the supervisor hangs up', (test: ReturnType<typeof supervised>) => test.hangUp(test.cydLeg)],
    [
      'the supervisor ends it',
      (test: ReturnType<typeof supervised>) => test.apply({ type: 'end_supervision', actorId: cyd.id }),
    ],
    [
      'the supervisor leaves the company',
      (test: ReturnType<typeof supervised>) => test.apply({ type: 'employee_removed', employeeId: cyd.id }),
    ],
    [
      'the customer is passed on blindly',
      (test: ReturnType<typeof supervised>) =>
        test.apply({ type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, target: bob, isBlind: true }),
    ],
    ['the call ends', (test: ReturnType<typeof supervised>) => test.hangUp()],
  ])('supervision ends when %s', (_what, ends) => {
    const test = supervised();
    ends(test);
    expect(test.call.supervision).toBeNull();
    expect(test.call.legs.filter(({ id, hangingUp }) => id === test.cydLeg && !hangingUp)).toEqual([]);
    expect(test.commands).toContainEqual({ kind: 'end_conversation', employeeId: cyd.id });
    expect(noted(test).at(-1)).toEqual(['supervision_ended', 'listen']);
  });

  it('supervision leaves the call as it is when it ends, and is not ended by somebody else', () => {
    const test = supervised();
    test.apply({ type: 'end_supervision', actorId: bob.id });
    expect(test.call.supervision).toMatchObject({ supervisor: cyd });
    test.hangUp(test.cydLeg);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'talking', employee: ada } });
  });

  it('supervision is over when the supervisor does not answer in time, declines or does not want to be disturbed', () => {
    for (const fails of [
      (test: TestCall) => test.pass(30),
      (test: TestCall) => test.hangUp(test.ringPhone(cyd.id), 'CALL_REJECTED'),
      (test: TestCall) => test.apply({ type: 'withdraw_offer', employeeId: cyd.id }),
    ]) {
      const test = inConversation();
      supervise(test);
      fails(test);
      expect(test.call.supervision).toBeNull();
      expect(test.timers.has('supervision_ring')).toBe(false);
      expect(test.commands).toContainEqual({ kind: 'release_offer', employeeId: cyd.id });
    }
  });
});
