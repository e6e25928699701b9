import { describe, expect, it } from '@jest/globals';
import { atSwitch, inbound, type TestCall, voicemail } from '../../../test/test-call.ts';

function recording() {
  const test = inbound(voicemail);
  test.finishPlayback();
  test.finishPlayback();
  return test;
}

const ordersOf = (test: TestCall) =>
  test.commands.flatMap((command) => (command.kind === 'record' ? [command.step] : []));
const checkOf = (test: TestCall) => test.commands.findLast(({ kind }) => kind === 'check_audio')!;

/** The process that was to order the recording has stopped: nobody knows whether it did. */
function unknownOrder() {
  const test = recording();
  test.settle({ kind: 'record', step: ordersOf(test)[0]! }, { kind: 'unknown' });
  return test;
}

describe('the recording of a voicemail whose order has an unknown outcome', () => {
  it('the recording of a voicemail whose order has an unknown outcome is not ordered again before the switch was asked for its file', () => {
    const test = unknownOrder();
    const [{ legId, playId, recording: name }] = ordersOf(test) as [ReturnType<typeof ordersOf>[0]];
    expect(ordersOf(test)).toHaveLength(1);
    expect(checkOf(test)).toEqual({ kind: 'check_audio', legId, playId, recording: name });
  });

  it('the recording of a voicemail whose order has an unknown outcome goes on when the switch has begun it', () => {
    const test = unknownOrder();
    test.settle(checkOf(test), { kind: 'check_audio', application: 'record', isBegun: true });
    expect(test.call.phase.kind).toBe('voicemail');
    expect(ordersOf(test)).toHaveLength(1);
  });

  it('the recording of a voicemail whose order has an unknown outcome is ordered under another name when the switch has no file of it, so that no file is ordered twice', () => {
    const test = unknownOrder();
    test.settle(checkOf(test), { kind: 'check_audio', application: 'park', isBegun: false });
    const orders = ordersOf(test);
    expect(orders.map(({ recording: name }) => name)).toEqual(['cal_1-1', 'cal_1-2']);
    expect(new Set(orders.map(({ playId }) => playId)).size).toBe(2);
    expect(test.call.phase).toMatchObject({ kind: 'voicemail', recording: 'cal_1-2' });
    expect(test.call.recordings).toMatchObject([{ status: 'missing' }, { status: 'started' }]);
    test.apply({ type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-2', durationMs: 7000 });
    test.hangUp();
    expect(test.call.voicemailId).toMatch(/^vm_/);
    expect(test.commands).toContainEqual({
      kind: 'save_voicemail',
      voicemailId: test.call.voicemailId,
      recording: 'cal_1-2',
    });
    expect(test.commands.filter(({ kind }) => kind === 'upload_recording')).toMatchObject([{ recording: 'cal_1-2' }]);
  });

  it('the recording of a voicemail whose order has an unknown outcome is ordered once more when a reconciliation has asked as well', () => {
    const test = recording();
    test.reconcile([atSwitch('leg-customer')]);
    test.settle({ kind: 'record', step: ordersOf(test)[0]! }, { kind: 'unknown' });
    const checks = test.commands.filter(({ kind }) => kind === 'check_audio');
    expect(checks).toHaveLength(2);
    for (const check of checks) test.settle(check, { kind: 'check_audio', application: 'park', isBegun: false });
    expect(ordersOf(test).map(({ recording: name }) => name)).toEqual(['cal_1-1', 'cal_1-2']);
  });

  it('the recording of a voicemail whose order has an unknown outcome has ended when the switch has the file and does not record any more', () => {
    const test = unknownOrder();
    test.settle(checkOf(test), { kind: 'check_audio', application: 'park', isBegun: true });
    expect(ordersOf(test)).toHaveLength(1);
    expect(test.call).toMatchObject({ phase: { kind: 'hanging_up' }, awaitedVoicemail: 'cal_1-1' });
  });

  it('the recording of a voicemail whose order has an unknown outcome is not ordered again for a caller who has hung up', () => {
    const test = recording();
    test.hangUp();
    test.settle({ kind: 'record', step: ordersOf(test)[0]! }, { kind: 'unknown' });
    expect(test.commands.some(({ kind }) => kind === 'check_audio')).toBe(false);
  });
});
