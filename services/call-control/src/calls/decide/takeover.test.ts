import { describe, expect, it } from '@jest/globals';
import { ada, bob, inbound, prompt, type TestCall, transfer } from '../../../test/test-call.ts';
import { ACTION, admit, answeredBy, assisted, park, startTransfer, told } from '../../../test/test-assisted-call.ts';
import type { StepFlow } from '../model/call-flow.ts';

const start = (test: TestCall, employee = bob) => test.apply({ type: 'start_takeover', employee });

/** Bob's phone rings; the assistant goes on. */
const requested = () => {
  const test = assisted(transfer(ada) as StepFlow);
  start(test);
  return Object.assign(test, { bobLeg: test.ringPhone(bob.id) });
};

const count = (test: TestCall, kind: string) =>
  test.commands.filter((command) => command.kind === kind && 'employeeId' in command && command.employeeId === bob.id)
    .length;

describe('a takeover', () => {
  it('a takeover rings the employee while the assistant goes on', () => {
    const test = requested();
    expect(test.call).toMatchObject({
      state: 'initiated',
      phase: { kind: 'assisted', link: 'bridged' },
      takeover: { employee: bob },
      offeredTo: [bob.id],
      activeFor: [],
    });
    expect(told(test)).toContainEqual({ kind: 'takeover_requested', employee: bob });
    expect(test.steps()).toEqual([]);
  });

  it('a takeover silences the assistant on the answer, connects the two, and lets the assistant leave then', () => {
    const test = requested();
    test.answer(test.bobLeg);
    expect(test.steps()).toEqual([{ do: 'park', legId: 'leg-customer' }]);
    park(test, 'leg-customer', test.assistantLeg);
    expect(test.steps()).toMatchObject([{ do: 'bridge', legId: 'leg-customer', peerId: test.bobLeg }]);
    test.bridged(test.bobLeg);
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: test.assistantLeg }]);
    expect(test.call).toMatchObject({
      state: 'bridged',
      phase: { kind: 'talking', employee: bob },
      answeredAt: test.now,
      employees: [bob],
      assistant: { outcome: 'taken_over' },
      takeover: null,
    });
    expect(told(test).at(-1)).toMatchObject({ kind: 'ended', outcome: 'taken_over' });
    expect([count(test, 'start_conversation'), count(test, 'release_offer')]).toEqual([1, 1]);
  });

  it.each([
    ['is withdrawn', (test: TestCall) => test.apply({ type: 'cancel_takeover', actorId: bob.id })],
    ['is not answered in 30 seconds', (test: TestCall) => test.pass(30)],
    ['is declined', (test: ReturnType<typeof requested>) => test.hangUp(test.bobLeg, 'CALL_REJECTED')],
    ['meets do-not-disturb', (test: TestCall) => test.apply({ type: 'withdraw_offer', employeeId: bob.id })],
    ['loses its employee', (test: TestCall) => test.apply({ type: 'employee_removed', employeeId: bob.id })],
    ['comes too late for a fallback', (test: TestCall) => test.apply({ type: 'run_fallback', reason: 'key' })],
    ['comes too late for a caller', (test: TestCall) => test.hangUp()],
  ])('a takeover ends when it %s', (_, finish) => {
    const test = requested();
    finish(test);
    expect(test.call).toMatchObject({ takeover: null, offeredTo: [] });
    expect(test.timers.has('takeover_ring')).toBe(false);
    expect(count(test, 'release_offer')).toBe(1);
  });

  it('a takeover is withdrawn by its employee only', () => {
    const test = requested();
    test.apply({ type: 'cancel_takeover', actorId: ada.id });
    expect(test.call.takeover).not.toBeNull();
  });

  it('a takeover leaves the caller with the assistant when the employee hangs up before they are connected', () => {
    const test = requested();
    test.answer(test.bobLeg);
    test.hangUp(test.bobLeg);
    park(test, 'leg-customer', test.assistantLeg);
    test.bridged(test.assistantLeg);
    expect(test.call).toMatchObject({
      phase: { kind: 'assisted', stage: { kind: 'talking' }, link: 'bridged' },
      assistant: { outcome: null },
      activeFor: [],
      employees: [],
    });
    expect(told(test).map(({ kind }) => kind)).toEqual(['connected', 'takeover_requested']);
    expect(count(test, 'end_conversation')).toBe(1);
  });

  it('a takeover that is answered cancels a transfer of the assistant, whoever rings or hears about the caller', () => {
    const test = requested();
    startTransfer(test, [ada]);
    park(test, 'leg-customer', test.assistantLeg);
    const adaLeg = test.ringPhone(ada.id);
    test.steps();
    test.answer(test.bobLeg);
    expect(test.steps()).toMatchObject([
      { do: 'hang_up', legId: adaLeg },
      { do: 'mask_recording', isMasked: false },
      { do: 'bridge', peerId: test.bobLeg },
    ]);
    test.bridged(test.bobLeg);
    expect(told(test).slice(-2)).toMatchObject([
      { kind: 'transfer_ended', actionId: ACTION, result: 'failed' },
      { kind: 'ended', outcome: 'taken_over' },
    ]);
    expect(test.call.transfers).toMatchObject([{ state: 'cancelled' }]);
  });

  it('a takeover that rings does not keep a transfer of the assistant from being completed', () => {
    const test = requested();
    startTransfer(test, [ada]);
    park(test, 'leg-customer', test.assistantLeg);
    const adaLeg = test.ringPhone(ada.id);
    test.answer(adaLeg);
    test.apply({ type: 'leg_bridged', legId: test.assistantLeg, peerId: adaLeg });
    test.apply({ type: 'finish_whisper', actionId: ACTION });
    expect(test.call.takeover).toBeNull();
    expect(count(test, 'release_offer')).toBe(1);
  });

  it('a takeover waits for the announcement of the recording', () => {
    const test = inbound(answeredBy(), { recordingAnnouncement: prompt('recorded') });
    admit(test);
    start(test);
    const bobLeg = test.ringPhone(bob.id);
    test.steps();
    test.answer(bobLeg);
    expect(test.steps()).toEqual([]);
    test.finishPlayback();
    expect(test.steps()).toMatchObject([{ do: 'start_recording' }, { do: 'bridge', peerId: bobLeg }]);
  });

  it('a takeover is refused without an assistant, and while another one goes on', () => {
    expect(start(inbound(transfer(ada)))).toBe('assistant_not_in_call');
    expect(start(requested(), ada)).toBe('takeover_in_progress');
    const test = requested();
    test.answer(test.bobLeg);
    expect(start(test, ada)).toBe('takeover_in_progress');
    const left = assisted(transfer(ada) as StepFlow);
    left.apply({ type: 'run_fallback', reason: 'key' });
    expect(start(left)).toBe('assistant_not_in_call');
  });
});
