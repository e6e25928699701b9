import { describe, expect, it } from '@jest/globals';
import { ada, bob, cyd, inConversation, outbound, type TestCall } from '../../../test/test-call.ts';

const outsideTarget = { phoneNumber: '+4531323334', carrier: 0, carriers: 2 };

const start = (test: TestCall, more: { target?: typeof bob | typeof outsideTarget; isBlind?: boolean } = {}) =>
  test.apply({
    type: 'start_transfer',
    transferId: 'tra_1',
    actorId: ada.id,
    target: bob,
    isBlind: true,
    ...more,
  });

/** The customer waits while Bob's phone rings. */
const passedOn = () => {
  const test = inConversation();
  start(test);
  test.hangUp(test.adaLeg);
  test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
  const bobLeg = test.ringPhone(bob.id);
  return Object.assign(test, { bobLeg });
};

/** Bob has declined. */
const returning = (isClaimed = true) => {
  const test = passedOn();
  test.hangUp(test.bobLeg, 'CALL_REJECTED');
  test.settle({ kind: 'claim_employee', employeeId: ada.id }, { kind: 'claim_employee', isClaimed });
  return test;
};

const dialled = (test: TestCall) => test.commands.findLast((command) => command.kind === 'dial')!;

const MOBILE = '+4540506070';

/** The phone outside the company that rings for an employee answers, and presses the key. */
function accept(test: TestCall, legId: string): void {
  test.settle(dialled(test), { kind: 'dial', refused: null });
  test.answer(legId);
  test.pass(19);
  test.apply({ type: 'digit', legId, digit: '1' });
}

describe('an employee without a registered phone', () => {
  const forwarded = (isBlind: boolean) => {
    const test = inConversation();
    test.apply({
      type: 'start_transfer',
      transferId: 'tra_1',
      actorId: ada.id,
      target: bob,
      isBlind,
      forwardTo: MOBILE,
    });
    return test;
  };

  it('an employee without a registered phone is rung outside as the target of a blind transfer, and accepts with a key', () => {
    const test = forwarded(true);
    const { legId, ...dial } = dialled(test);
    expect(dial).toMatchObject({ to: MOBILE, asks: true });
    test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
    accept(test, legId);
    test.bridged(legId);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'talking', employee: bob, legId } });
    expect([...test.timers.keys()]).toEqual(['max_length']);
  });

  it('an employee without a registered phone is rung outside as the target of a warm transfer, and joins it with a key', () => {
    const test = forwarded(false);
    const { room } = test.call.transfers[0]!;
    test.settle(
      test.commands.findLast(({ kind }) => kind === 'control')!,
      { kind: 'control', failures: [] },
    );
    const { legId } = dialled(test);
    accept(test, legId);
    expect(test.call.transfers).toMatchObject([{ state: 'consulting', targetLegIds: [legId] }]);
    expect(test.steps().at(-1)).toEqual({ do: 'join_conference', legId, room });
  });

  it('an employee without a registered phone does not keep the customer when the key is not pressed, and the next carrier is tried before', () => {
    const test = forwarded(true);
    const first = dialled(test).legId;
    test.hangUp(first, 'NETWORK_OUT_OF_ORDER');
    const { legId, carrier } = dialled(test);
    expect(carrier).toBe(1);
    test.answer(legId);
    test.pass(20);
    test.hangUp(legId, 'NO_ANSWER');
    expect(test.call).toMatchObject({ phase: { kind: 'returning' }, transfers: [{ state: 'cancelled' }] });
  });

  it('an employee without a registered phone gets the customer back outside as the controller', () => {
    const test = passedOn();
    test.hangUp(test.bobLeg, 'CALL_REJECTED');
    const claim = { kind: 'claim_employee', employeeId: ada.id } as const;
    test.settle(claim, { kind: 'claim_employee', isClaimed: true, forwardTo: MOBILE });
    const { legId } = dialled(test);
    accept(test, legId);
    expect(test.call.phase).toMatchObject({ employee: ada, legId });
  });
});

describe('a blind transfer', () => {
  it('a blind transfer releases the controller at once and lets the customer hear the wait audio', () => {
    const test = inConversation();
    start(test);
    expect(test.call).toMatchObject({ state: 'transferring', phase: { kind: 'blind_transfer' }, activeFor: [bob.id] });
    expect(test.steps()).toEqual([
      { do: 'park', legId: 'leg-customer' },
      { do: 'hang_up', legId: test.adaLeg, cause: 'NORMAL_CLEARING' },
    ]);
    expect(test.commands).toContainEqual({ kind: 'end_conversation', employeeId: ada.id });
    test.hangUp(test.adaLeg);
    test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
    expect(test.steps().map((step) => step.do)).toEqual(['stop_audio', 'play']);
  });

  it('a blind transfer connects the customer with whoever answers; the call was answered once', () => {
    const test = passedOn();
    const { answeredAt, recordings } = test.call;
    test.pass(5);
    test.answer(test.bobLeg);
    test.bridged(test.bobLeg);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'talking', employee: bob }, answeredAt });
    expect(test.call.transfers).toMatchObject([{ state: 'completed', isBlind: true }]);
    expect(test.call.employees).toEqual([ada, bob]);
    expect(test.call.recordings).toEqual(recordings);
    expect(test.eventTypes.filter((type) => type === 'answered')).toHaveLength(1);
    expect(test.timers.has('transfer_ring')).toBe(false);
  });

  it('a blind transfer connects only once both legs wait for it', () => {
    const test = inConversation();
    start(test);
    const bobLeg = test.ringPhone(bob.id);
    test.answer(bobLeg);
    expect(test.steps().map((step) => step.do)).not.toContain('bridge');
    test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
    expect(test.steps()).toContainEqual({ do: 'bridge', legId: 'leg-customer', peerId: bobLeg });
  });

  it.each([
    ['is not answered within thirty seconds', (test: ReturnType<typeof passedOn>) => test.pass(30)],
    ['is declined', (test: ReturnType<typeof passedOn>) => test.hangUp(test.bobLeg, 'CALL_REJECTED')],
    ['is busy', (test: ReturnType<typeof passedOn>) => test.hangUp(test.bobLeg, 'USER_BUSY')],
    [
      'is withdrawn by do-not-disturb',
      (test: ReturnType<typeof passedOn>) => test.apply({ type: 'withdraw_offer', employeeId: bob.id }),
    ],
    [
      'is for somebody who left the company',
      (test: ReturnType<typeof passedOn>) => test.apply({ type: 'employee_removed', employeeId: bob.id }),
    ],
    [
      'is cancelled by the controller',
      (test: ReturnType<typeof passedOn>) =>
        test.apply({ type: 'cancel_transfer', transferId: 'tra_1', actorId: ada.id }),
    ],
  ])('a blind transfer that %s asks the controller', (_what, fails) => {
    const test = passedOn();
    fails(test);
    expect(test.call).toMatchObject({ state: 'transferring', transfers: [{ state: 'cancelled' }] });
    expect(test.commands).toContainEqual({ kind: 'release_offer', employeeId: bob.id });
    expect(test.commands.at(-1)).toEqual({ kind: 'claim_employee', employeeId: ada.id });
    test.settle({ kind: 'claim_employee', employeeId: ada.id }, { kind: 'claim_employee', isClaimed: true });
    expect(test.call.offeredTo).toEqual([ada.id]);
    const adaLeg = test.ringPhone(ada.id);
    test.answer(adaLeg);
    test.bridged(adaLeg);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'talking', employee: ada, legId: adaLeg } });
  });

  it('a blind transfer without an available controller leads to the queue that the customer waited in', () => {
    const test = returning(false);
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'waiting', employeeIds: [ada.id, bob.id] } });
    expect(test.commands.at(-1)).toEqual({ kind: 'dispatch_employees' });
    const legId = test.ring(bob);
    test.answer(legId);
    test.bridged(legId);
    expect(test.call.state).toBe('bridged');
    expect(test.call.recordings).toHaveLength(1);
  });

  it.each([
    ['does not answer', (test: TestCall) => test.pass(30)],
    ['declines', (test: TestCall) => test.hangUp(test.ringPhone(ada.id), 'CALL_REJECTED')],
    ['is on do-not-disturb', (test: TestCall) => test.apply({ type: 'withdraw_offer', employeeId: ada.id })],
    ['leaves the company', (test: TestCall) => test.apply({ type: 'employee_removed', employeeId: ada.id })],
  ])('a blind transfer leads to the queue when the controller %s', (_what, fails) => {
    const test = returning();
    fails(test);
    expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'waiting' } });
    expect(test.commands).toContainEqual({ kind: 'release_offer', employeeId: ada.id });
    expect(test.timers.has('employee_ring')).toBe(false);
  });

  it('a blind transfer fails when the customer hangs up, and releases whoever was about to be asked', () => {
    const test = passedOn();
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', transfers: [{ state: 'failed' }] });
    expect(test.commands).toContainEqual({ kind: 'release_offer', employeeId: bob.id });
    const later = passedOn();
    later.hangUp(later.bobLeg, 'CALL_REJECTED');
    later.hangUp();
    expect(later.call).toMatchObject({ state: 'ended' });
    expect(later.call.abandoned).toBeUndefined();
    expect(later.commands).toContainEqual({ kind: 'release_offer', employeeId: ada.id });
    later.settle({ kind: 'claim_employee', employeeId: ada.id }, { kind: 'claim_employee', isClaimed: true });
    expect(later.call.legs.filter(({ hangingUp }) => !hangingUp)).toEqual([]);
  });

  it('a blind transfer of a call that never waited leads to the queue of the number, or to the controller', () => {
    for (const [queue, employeeIds] of [
      [[cyd.id], [cyd.id]],
      [[], [ada.id]],
    ]) {
      const test = outbound();
      test.answer(test.call.customerLegId);
      test.bridged('leg-ada');
      const input = { type: 'start_transfer', transferId: 'tra_1', actorId: ada.id, isBlind: true } as const;
      test.apply({ ...input, target: bob, queue: queue! });
      test.pass(30);
      test.settle({ kind: 'claim_employee', employeeId: ada.id }, { kind: 'claim_employee', isClaimed: false });
      expect(test.call).toMatchObject({ state: 'queued', phase: { kind: 'waiting', employeeIds } });
    }
  });
});

describe('a transfer to a phone outside', () => {
  it('a transfer to a phone outside shows nobody as target, and is recorded no more once it is connected', () => {
    const test = inConversation();
    start(test, { target: outsideTarget });
    expect(test.call.transfers).toMatchObject([{ to: null, outside: outsideTarget }]);
    test.apply({ type: 'leg_parked', legId: 'leg-customer', arrival: null });
    const { legId, ...order } = dialled(test);
    expect(order).toEqual({ kind: 'dial', to: '+4531323334', carrier: 0, timeoutSecs: 35, room: null });
    test.answer(legId);
    expect(test.steps()).toEqual(
      expect.arrayContaining([
        { do: 'stop_recording', legId: 'leg-customer', recording: 'cal_1-1' },
        { do: 'bridge', legId: 'leg-customer', peerId: legId },
      ]),
    );
    test.bridged(legId);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'outside' }, activeFor: [] });
    expect(test.call.employees).toEqual([ada]);
    test.hangUp(legId);
    expect(test.steps()).toContainEqual({ do: 'hang_up', legId: 'leg-customer', cause: 'NORMAL_CLEARING' });
    test.hangUp();
    expect(test.call.state).toBe('ended');
  });

  it('a transfer to a phone outside tries the next carrier when the network of one fails, and comes back when the other side is busy', () => {
    const test = inConversation();
    start(test, { target: outsideTarget });
    test.hangUp(dialled(test).legId, 'NETWORK_OUT_OF_ORDER');
    expect(dialled(test)).toMatchObject({ carrier: 1 });
    test.hangUp(dialled(test).legId, 'USER_BUSY');
    expect(test.call).toMatchObject({ phase: { kind: 'returning' }, transfers: [{ state: 'cancelled' }] });
  });

  it('a transfer to a phone outside is warm by default: the phone joins the conference, and the two go on when it is completed', () => {
    const test = inConversation();
    start(test, { target: outsideTarget, isBlind: false });
    const { room } = test.call.transfers[0]!;
    const order = test.commands.findLast(({ kind }) => kind === 'control')!;
    test.settle(order, { kind: 'control', failures: [] });
    expect(dialled(test)).toMatchObject({ to: '+4531323334', room });
    const { legId } = dialled(test);
    test.apply({ type: 'leg_answered', legId });
    expect(test.call.transfers).toMatchObject([{ state: 'consulting' }]);
    expect(test.apply({ type: 'complete_transfer', transferId: 'tra_1', actorId: bob.id })).toBe('not_participant');
    test.apply({ type: 'complete_transfer', transferId: 'tra_1', actorId: ada.id });
    test.bridged(legId);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'outside', legId } });
    expect(test.commands).toContainEqual({ kind: 'end_conversation', employeeId: ada.id });
    test.pass(4 * 3600);
    expect(test.call.phase.kind).toBe('hanging_up');
  });
});
