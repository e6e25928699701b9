import { describe, expect, it } from '@jest/globals';
import { ada, atSwitch, bob, inbound, outbound, prompt, transfer } from '../../../test/test-call.ts';

const recordingAnnouncement = prompt('recorded');

/** Ada has answered. */
function answered(more: Parameters<typeof inbound>[1] = {}) {
  const test = inbound(transfer(ada, bob), { recordingAnnouncement, ...more });
  const adaLeg = test.ring(ada);
  test.steps();
  test.answer(adaLeg);
  return Object.assign(test, { adaLeg });
}

describe('the announcement of a recording', () => {
  it('the announcement of a recording is heard by the caller before the recording and the conversation begin', () => {
    const test = answered();
    expect(test.call).toMatchObject({ state: 'answered', employees: [ada], activeFor: [ada.id], recordings: [] });
    expect(test.steps()).toMatchObject([
      { do: 'stop_audio', legId: 'leg-customer' },
      { do: 'play', legId: 'leg-customer', audio: { kind: 'prompt', contentHash: 'recorded' } },
    ]);
    test.finishPlayback();
    expect(test.steps()).toEqual([
      { do: 'start_recording', legId: 'leg-customer', recording: 'cal_1-1' },
      { do: 'bridge', legId: 'leg-customer', peerId: test.adaLeg },
    ]);
    test.bridged(test.adaLeg);
    expect([test.call.state, [...test.timers.keys()]]).toEqual(['bridged', ['max_length']]);
  });

  it('the announcement of a recording is heard by the other side of an outbound call', () => {
    const test = outbound(1, undefined, { recordingAnnouncement });
    const { customerLegId } = test.call;
    test.apply({ type: 'leg_answered', legId: customerLegId });
    test.steps();
    test.apply({ type: 'leg_parked', legId: customerLegId, arrival: null });
    expect(test.steps()).toMatchObject([
      { do: 'stop_audio', legId: customerLegId },
      { do: 'play', legId: customerLegId, audio: { kind: 'prompt' } },
    ]);
    test.finishPlayback();
    expect(test.steps()).toMatchObject([{ do: 'start_recording' }, { do: 'bridge', peerId: customerLegId }]);
  });

  it('the announcement of a recording delays no emergency call and no call that is not recorded', () => {
    const emergency = outbound(1, { address: 'Main Street 1' }, { recordingAnnouncement });
    emergency.answer(emergency.call.customerLegId);
    expect(emergency.call.phase.kind).toBe('talking');
    expect(answered({ recording: false }).call.phase.kind).toBe('talking');
  });

  it('the announcement of a recording ends the call when either side hangs up meanwhile', () => {
    const byCaller = answered();
    byCaller.hangUp();
    expect([byCaller.call.state, [...byCaller.timers.keys()]]).toEqual(['ended', []]);
    expect(byCaller.commands).toContainEqual({ kind: 'end_conversation', employeeId: ada.id });
    const byEmployee = answered();
    byEmployee.hangUp(byEmployee.adaLeg);
    expect(byEmployee.call.phase.kind).toBe('hanging_up');
    byEmployee.hangUp();
    expect([byEmployee.call.state, byEmployee.call.legs]).toEqual(['ended', []]);
  });

  it('the announcement of a recording does not keep the two apart when its end is not reported or its audio is missing: nothing is recorded then', () => {
    const overdue = answered();
    overdue.steps();
    overdue.pass(12);
    expect(overdue.call).toMatchObject({ phase: { kind: 'talking' }, recordings: [] });
    expect(overdue.steps()).toEqual([{ do: 'bridge', legId: 'leg-customer', peerId: overdue.adaLeg }]);
    expect(overdue.what).toContain('recording_not_announced');
    const missing = answered({ recordingAnnouncement: { contentHash: 'late', durationMs: null } });
    const order = missing.commands.findLast(({ kind }) => kind === 'prepare_prompt')!;
    missing.settle(order, { kind: 'prepare_prompt', durationMs: null });
    expect(missing.call).toMatchObject({ phase: { kind: 'talking' }, recordings: [] });
    expect(missing.what).toContain('recording_not_announced');
  });

  it('the announcement of a recording is prepared once more when its audio was not found on the switch, and the conversation is recorded after it only if it was heard', () => {
    for (const isHeard of [true, false]) {
      const test = answered();
      const notPlayed = () => {
        const { phase } = test.call;
        if (phase.kind === 'announcing')
          test.apply({ type: 'playback_finished', legId: 'leg-customer', playId: phase.playId, played: false });
      };
      notPlayed();
      const order = test.commands.findLast(({ kind }) => kind === 'prepare_prompt')!;
      test.settle(order, { kind: 'prepare_prompt', durationMs: 2000 });
      if (isHeard) test.finishPlayback();
      else notPlayed();
      expect(test.call.phase.kind).toBe('talking');
      expect(test.call.recordings).toHaveLength(isHeard ? 1 : 0);
    }
  });

  it('the announcement of a recording is not repeated when its end was missed by a gap in the events of the switch', () => {
    const test = answered();
    test.reconcile([atSwitch('leg-customer'), { ...atSwitch(test.adaLeg), isAnswered: true }]);
    const check = test.commands.findLast(({ kind }) => kind === 'check_audio')!;
    test.settle(check, { kind: 'check_audio', application: 'park' });
    expect(test.call.phase.kind).toBe('talking');
    test.apply({ type: 'playback_finished', legId: 'leg-customer', playId: 'an earlier one', played: true });
    expect(test.call.recordings).toHaveLength(1);
  });
});
