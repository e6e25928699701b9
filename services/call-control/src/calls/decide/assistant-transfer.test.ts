import { describe, expect, it } from '@jest/globals';
import { ada, bob, cyd, type TestCall } from '../../../test/test-call.ts';
import { ACTION, admit, assisted, park, robin, startTransfer, told } from '../../../test/test-assisted-call.ts';

const OUTSIDE = '+4531323334';

/** Ada and Bob are rung; the caller waits. */
const ringing = () => {
  const test = assisted();
  startTransfer(test, [ada, bob]);
  park(test, 'leg-customer', test.assistantLeg);
  const adaLeg = test.ringPhone(ada.id);
  const bobLeg = test.ringPhone(bob.id);
  return Object.assign(test, { adaLeg, bobLeg });
};

/** Ada hears who calls. */
const whispering = () => {
  const test = ringing();
  test.steps();
  test.answer(test.adaLeg);
  test.apply({ type: 'leg_bridged', legId: test.assistantLeg, peerId: test.adaLeg });
  return test;
};

const results = (test: TestCall) => told(test).filter(({ kind }) => kind === 'transfer_ended');
const count = (test: TestCall, kind: string, id: string) =>
  test.commands.filter((command) => command.kind === kind && 'employeeId' in command && command.employeeId === id)
    .length;
/** The caller is connected with the assistant again. */
const returned = (test: ReturnType<typeof ringing>, legId = test.assistantLeg) => {
  park(test, 'leg-customer', legId);
  test.bridged(legId);
  return test;
};
const press = (test: TestCall, legId: string, digit: string) => test.apply({ type: 'digit', legId, digit });

describe('a transfer by an assistant', () => {
  it('a transfer by an assistant rings everybody at once while the caller hears the wait audio', () => {
    const test = assisted();
    startTransfer(test, [ada, bob]);
    expect(test.steps()).toMatchObject([
      { do: 'park', legId: 'leg-customer' },
      { do: 'mask_recording', isMasked: true },
    ]);
    expect(test.commands.filter(({ kind }) => kind === 'ring')).toMatchObject([
      { employeeId: ada.id, timeoutSecs: 35 },
      { employeeId: bob.id },
    ]);
    park(test, 'leg-customer');
    expect(test.steps()).toMatchObject([{ do: 'stop_audio' }, { do: 'play', audio: { kind: 'ringtone' } }]);
    expect(test.call).toMatchObject({
      state: 'transferring',
      offeredTo: [ada.id, bob.id],
      activeFor: [ada.id, bob.id],
      transfers: [{ id: ACTION, state: 'ringing', from: null, fromAssistant: robin, to: null }],
    });
    expect(test.eventTypes).toEqual(['initiated']);
  });

  it('a transfer by an assistant has who answers first hear who calls, and stops ringing at the others', () => {
    const test = ringing();
    test.steps();
    test.answer(test.adaLeg);
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.bobLeg, cause: 'LOSE_RACE' },
      { do: 'bridge', legId: test.assistantLeg, peerId: test.adaLeg },
    ]);
    expect(told(test)).toEqual([{ kind: 'connected', attempt: 1 }]);
    test.apply({ type: 'leg_bridged', legId: test.assistantLeg, peerId: test.adaLeg });
    expect(told(test)).toContainEqual({ kind: 'transfer_answered', actionId: ACTION, employee: ada });
    expect(test.call).toMatchObject({ state: 'transferring', answeredAt: null, activeFor: [ada.id], offeredTo: [] });
    expect(test.call.transfers).toMatchObject([{ state: 'consulting', to: ada }]);
  });

  it('a caller who presses 0 while somebody rings goes on with the fallback', () => {
    const test = ringing();
    test.steps();
    press(test, 'leg-customer', '5');
    expect(test.steps()).toEqual([]);
    press(test, 'leg-customer', '0');
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: test.adaLeg, cause: 'ORIGINATOR_CANCEL' },
      { do: 'hang_up', legId: test.bobLeg, cause: 'ORIGINATOR_CANCEL' },
      { do: 'hang_up', legId: test.assistantLeg },
      { do: 'stop_recording', legId: 'leg-customer' },
      { do: 'stop_audio', legId: 'leg-customer' },
      { do: 'play', legId: 'leg-customer' },
    ]);
    expect(test.call.assistant).toMatchObject({ outcome: 'fallback', fallbackReason: 'key' });
  });

  it.each([
    ['the assistant has said who calls', (test: TestCall) => test.apply({ type: 'finish_whisper', actionId: ACTION })],
    ['key 1 is pressed', (test: ReturnType<typeof whispering>) => press(test, test.adaLeg, '1')],
    ['ten seconds have passed', (test: TestCall) => test.pass(10)],
    [
      'the target completes the transfer',
      (test: TestCall) => test.apply({ type: 'complete_transfer', transferId: ACTION, actorId: ada.id }),
    ],
  ])('a transfer by an assistant connects caller and employee when %s', (_, finish) => {
    const test = whispering();
    test.steps();
    finish(test);
    expect(test.steps()).toEqual([{ do: 'park', legId: test.assistantLeg }]);
    park(test, test.adaLeg, test.assistantLeg);
    expect(test.steps()).toMatchObject([
      { do: 'mask_recording', isMasked: false },
      { do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg },
    ]);
    // The assistant stays until the two are connected.
    expect([test.call.answeredAt, results(test)]).toEqual([null, []]);
    test.bridged(test.adaLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.assistantLeg }]);
    expect(test.call).toMatchObject({
      state: 'bridged',
      phase: { kind: 'talking', employee: ada },
      answeredAt: test.now,
      employees: [ada],
      assistant: { outcome: 'transferred' },
      transfers: [{ state: 'completed' }],
    });
    expect(told(test).slice(-2)).toMatchObject([
      { kind: 'transfer_ended', result: 'connected' },
      { kind: 'ended', outcome: 'transferred' },
    ]);
    expect(test.eventTypes).toEqual(['initiated', 'answered']);
    expect(test.events.find(({ type }) => type.endsWith('.answered'))?.call.assistant?.outcome).toBe('transferred');
    expect([count(test, 'start_conversation', ada.id), count(test, 'end_conversation', ada.id)]).toEqual([1, 0]);
  });

  it.each([
    ['presses key 2', 'declined', (test: ReturnType<typeof whispering>) => press(test, test.adaLeg, '2')],
    ['hangs up', 'declined', (test: ReturnType<typeof whispering>) => test.hangUp(test.adaLeg)],
    ['loses the phone', 'failed', (test: ReturnType<typeof whispering>) => test.hangUp(test.adaLeg, 'MEDIA_TIMEOUT')],
    [
      'is removed',
      'failed',
      (test: ReturnType<typeof whispering>) => {
        test.apply({ type: 'employee_removed', employeeId: ada.id });
        test.hangUp(test.adaLeg);
      },
    ],
  ] as const)('a transfer by an assistant returns when who hears about the caller %s', (_, result, leave) => {
    const test = whispering();
    leave(test);
    expect(results(test)).toEqual([]);
    returned(test);
    expect(results(test)).toEqual([{ kind: 'transfer_ended', actionId: ACTION, result }]);
    expect(test.call).toMatchObject({
      state: 'queued',
      phase: { kind: 'assisted', stage: { kind: 'talking' }, link: 'bridged' },
      transfers: [{ state: 'cancelled' }],
      activeFor: [],
      recordings: [{ isMasked: false }],
    });
    expect(count(test, 'end_conversation', ada.id)).toBe(1);
  });

  it.each([
    ['nobody answers within 30 seconds', 'no_answer', (test: ReturnType<typeof ringing>) => test.pass(30)],
    [
      'everybody declines',
      'declined',
      (test: ReturnType<typeof ringing>) => [test.adaLeg, test.bobLeg].forEach((leg) => test.hangUp(leg, 'USER_BUSY')),
    ],
    [
      'one declines and the other does not answer',
      'no_answer',
      (test: ReturnType<typeof ringing>) => {
        test.hangUp(test.adaLeg, 'CALL_REJECTED');
        test.pass(30);
      },
    ],
    [
      'nobody wants to be disturbed any more',
      'unavailable',
      (test: ReturnType<typeof ringing>) =>
        [ada, bob].forEach(({ id }) => test.apply({ type: 'withdraw_offer', employeeId: id })),
    ],
    [
      'the phones cannot be reached',
      'failed',
      (test: ReturnType<typeof ringing>) =>
        [test.adaLeg, test.bobLeg].forEach((leg) => test.hangUp(leg, 'NORMAL_TEMPORARY_FAILURE')),
    ],
  ] as const)('a transfer by an assistant returns when %s', (_, result, happen) => {
    const test = ringing();
    happen(test);
    returned(test);
    expect(results(test)).toEqual([{ kind: 'transfer_ended', actionId: ACTION, result }]);
    expect(test.call).toMatchObject({ state: 'queued', offeredTo: [], transfers: [{ state: 'cancelled' }] });
    for (const { id } of [ada, bob]) expect(count(test, 'release_offer', id)).toBe(1);
    expect(test.timers.has('transfer_ring')).toBe(false);
  });

  it('a transfer by an assistant to employees without a phone is over at once', () => {
    const test = assisted();
    startTransfer(test, [ada]);
    const order = test.commands.findLast(({ kind }) => kind === 'ring')!;
    test.settle(order, { kind: 'ring', rung: [] });
    park(test, 'leg-customer', test.assistantLeg);
    test.bridged(test.assistantLeg);
    expect(results(test)).toMatchObject([{ result: 'unavailable' }]);
  });

  it('a transfer by an assistant stops ringing when the caller hangs up, who gave up waiting', () => {
    const test = ringing();
    test.steps();
    test.hangUp();
    expect(test.steps().map((step) => 'legId' in step && step.legId)).toEqual(
      expect.arrayContaining([test.adaLeg, test.bobLeg, test.assistantLeg]),
    );
    expect(test.call).toMatchObject({ state: 'ended', abandoned: true, assistant: { outcome: 'abandoned' } });
    expect(test.call.transfers).toMatchObject([{ state: 'failed' }]);
    expect(test.call.transfers[0]).not.toHaveProperty('sealedIntroduction');
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it('a transfer by an assistant is no lost call when the caller had left a message before hanging up', () => {
    const test = ringing();
    test.apply({ type: 'session_reported', revision: 1, engine: 'embedded', outcomeIfLeft: 'message_taken' });
    test.hangUp();
    expect(test.call.assistant?.outcome).toBe('message_taken');
    expect(test.call.abandoned).toBeUndefined();
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
  });

  it('a transfer by an assistant releases who hears about a caller who hangs up', () => {
    const test = whispering();
    test.hangUp();
    expect(count(test, 'end_conversation', ada.id)).toBe(1);
    expect(test.call).toMatchObject({ state: 'ended', answeredAt: null, employees: [] });
  });

  it('a transfer by an assistant returns when the employee leaves between the whisper and the caller', () => {
    const test = whispering();
    press(test, test.adaLeg, '1');
    park(test, test.adaLeg);
    test.hangUp(test.adaLeg);
    returned(test);
    expect(results(test)).toMatchObject([{ result: 'failed' }]);
    expect(test.call.assistant?.outcome).toBeNull();
  });

  it('a transfer by an assistant is refused while the caller is not connected with it, and one at a time', () => {
    const test = ringing();
    expect(startTransfer(test, [cyd], 'act_2')).toBe('call_not_transferable');
    expect(test.call.transfers).toHaveLength(1);
  });

  it('a transfer by an assistant that finds nobody available is only noted', () => {
    const test = assisted();
    test.apply({ type: 'assistant_transfer_unavailable', targetName: 'Sales' });
    expect(test.call.timeline.at(-1)).toMatchObject({ what: 'transfer_unavailable', detail: 'Sales' });
    expect(test.steps()).toEqual([]);
  });

  it('a fallback during a transfer by an assistant stops the ringing, and waits while somebody hears about the caller', () => {
    const test = ringing();
    test.apply({ type: 'run_fallback', reason: 'limit_duration' });
    expect(test.call).toMatchObject({ offeredTo: [], transfers: [{ state: 'cancelled' }] });
    expect(test.call.phase.kind).toBe('message');
    expect(whispering().apply({ type: 'run_fallback', reason: 'limit_duration' })).toBe('transfer_in_progress');
    expect(whispering().apply({ type: 'end_assisted_call' })).toBe('transfer_in_progress');
  });
});

describe('a transfer by an assistant whose leg is lost', () => {
  it('a transfer by an assistant whose leg is lost goes on ringing, and connects who answers without a whisper', () => {
    const test = ringing();
    test.hangUp(test.assistantLeg, 'MEDIA_TIMEOUT');
    expect(test.commands.filter(({ kind }) => kind === 'reserve_assistant')).toHaveLength(1);
    test.steps();
    test.answer(test.adaLeg);
    test.bridged(test.adaLeg);
    expect(test.call).toMatchObject({ state: 'bridged', assistant: { outcome: 'transferred' } });
  });

  it('a transfer by an assistant whose leg is lost has another process tell the caller that nobody answered', () => {
    const test = ringing();
    test.hangUp(test.assistantLeg, 'MEDIA_TIMEOUT');
    test.pass(30);
    const legId = admit(test, 2);
    test.answer(legId);
    test.bridged(legId);
    expect(told(test).slice(1)).toEqual([
      { kind: 'connected', attempt: 2 },
      { kind: 'transfer_ended', actionId: ACTION, result: 'no_answer' },
    ]);
  });

  it('a transfer by an assistant whose leg is lost during the whisper connects caller and employee', () => {
    const test = whispering();
    test.hangUp(test.assistantLeg, 'MEDIA_TIMEOUT');
    park(test, test.adaLeg);
    test.bridged(test.adaLeg);
    expect(test.call).toMatchObject({ state: 'bridged', phase: { kind: 'talking', employee: ada } });
  });
});

describe('a transfer by an assistant to a phone outside', () => {
  const outside = () => {
    const test = assisted();
    startTransfer(test, OUTSIDE);
    park(test, 'leg-customer', test.assistantLeg);
    const { phase } = test.call;
    const [legId] = phase.kind === 'assisted' && phase.stage.kind === 'transferring' ? phase.stage.outsideLegIds : [];
    return Object.assign(test, { outsideLeg: legId!, adaLeg: '', bobLeg: '' });
  };

  it('a transfer by an assistant to a phone outside asks for the key, then says who calls, then connects', () => {
    const test = outside();
    expect(test.commands.findLast(({ kind }) => kind === 'dial')).toMatchObject({ to: OUTSIDE, asks: true });
    test.answer(test.outsideLeg);
    expect(test.call.phase).toMatchObject({ stage: { kind: 'transferring' } });
    press(test, test.outsideLeg, '1');
    expect(test.call.phase).toMatchObject({ stage: { kind: 'whispering', to: null } });
    test.apply({ type: 'leg_bridged', legId: test.assistantLeg, peerId: test.outsideLeg });
    expect(told(test)).toContainEqual({ kind: 'transfer_answered', actionId: ACTION, employee: null });
    press(test, test.outsideLeg, '1');
    park(test, test.outsideLeg, test.assistantLeg);
    test.bridged(test.outsideLeg);
    expect(test.call).toMatchObject({
      state: 'bridged',
      phase: { kind: 'outside', phoneNumber: OUTSIDE },
      answeredAt: test.now,
      employees: [],
      assistant: { outcome: 'transferred' },
    });
    expect(test.what).toContain('outside_connected');
  });

  it('a transfer by an assistant to a phone outside gives who answers late the time for the key', () => {
    const test = outside();
    test.pass(25);
    test.answer(test.outsideLeg);
    test.pass(6);
    expect(test.call.phase).toMatchObject({ stage: { kind: 'transferring' } });
    test.pass(14);
    test.hangUp(test.outsideLeg);
    returned(test);
    expect(results(test)).toMatchObject([{ result: 'no_answer' }]);
  });

  it('a transfer by an assistant to a phone outside that may not be called is not allowed', () => {
    const test = outside();
    const dialled = test.commands.findLast(({ kind }) => kind === 'dial')!;
    test.settle(dialled, { kind: 'dial', refused: 'OUTGOING_CALL_BARRED' });
    returned(test);
    expect(results(test)).toMatchObject([{ result: 'not_allowed' }]);
  });
});
