import { describe, expect, it } from '@jest/globals';
import { inbound, voicemail, type TestCall } from '../../../test/test-call.ts';

describe('a voicemail', () => {
  const recording = () => {
    const test = inbound(voicemail);
    test.finishPlayback();
    expect(test.call.phase.kind).toBe('beep');
    test.finishPlayback();
    expect(test.call).toMatchObject({ state: 'recording', phase: { kind: 'voicemail', recording: 'cal_1-1' } });
    return test;
  };
  const stopped = { type: 'recording_stopped', legId: 'leg-customer', recording: 'cal_1-1' } as const;

  it('a voicemail is saved when the caller hangs up; the call is missed but not lost', () => {
    const test = recording();
    test.pass(8);
    test.apply({ ...stopped, durationMs: 7000 });
    test.hangUp();
    expect(test.call).toMatchObject({ state: 'ended', durationSecs: null, voicemailId: expect.stringMatching(/^vm_/) });
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    expect(test.commands.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['save_voicemail', 'upload_recording']),
    );
  });

  it('a voicemail of silence is no voicemail', () => {
    const test = recording();
    test.apply({ ...stopped, durationMs: 400 });
    test.hangUp();
    expect(test.call.voicemailId).toBeNull();
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it.each(['#', 'the limit'])('a voicemail ends with %s', (end) => {
    const test = recording();
    test.steps();
    if (end === '#') test.apply({ type: 'digit', legId: 'leg-customer', digit: '#' });
    else test.pass(180);
    expect(test.steps()).toEqual([{ do: 'stop_audio', legId: 'leg-customer' }]);
    test.apply({ ...stopped, durationMs: 5000 });
    expect(test.steps()).toMatchObject([{ do: 'hang_up', legId: 'leg-customer' }]);
    expect(test.call.voicemailId).not.toBeNull();
  });

  describe('whose end was not seen', () => {
    const unseen = () => {
      const test = recording();
      test.pass(20);
      test.reconcile([]);
      expect(test.call).toMatchObject({ state: 'ended', voicemailId: null });
      expect(test.eventTypes).toEqual(['initiated', 'ended']);
      expect(test.commands.at(-1)).toEqual({ kind: 'upload_recording', recording: 'cal_1-1' });
      return test;
    };
    const upload = { kind: 'upload_recording', recording: 'cal_1-1' } as const;
    const stored = { type: 'recording_stored', recording: 'cal_1-1', sizeBytes: 1, contentHash: 'a1' } as const;

    it('a voicemail whose end was not seen is saved once its audio has been fetched', () => {
      const test = unseen();
      test.apply({ ...stored, durationMs: 9000 });
      expect(test.call.voicemailId).toMatch(/^vm_/);
      test.pass(7200);
      expect(test.call.voicemailId).toMatch(/^vm_/);
      expect(test.eventTypes).toEqual(['initiated', 'ended']);
    });

    it('a voicemail whose end was not seen is saved at once when the report of its end comes late', () => {
      const test = unseen();
      test.apply({ ...stopped, durationMs: 9000 });
      expect(test.commands.at(-1)?.kind).toBe('save_voicemail');
    });

    it.each<[string, (test: ReturnType<typeof unseen>) => void]>([
      ['there is no file', (test) => test.settle(upload, { kind: 'upload_recording', outcome: 'missing' })],
      ['the file has no message', (test) => test.apply({ ...stored, durationMs: 200 })],
      ['nothing comes in time', (test) => test.pass(601)],
    ])('a voicemail whose end was not seen is no voicemail when %s, and the call is lost', (_name, end) => {
      const test = unseen();
      end(test);
      expect(test.call).toMatchObject({ voicemailId: null, awaitedVoicemail: null });
      expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
      expect(test.commands.some(({ kind }) => kind === 'save_voicemail')).toBe(false);
    });

    it('a voicemail whose end was not seen is not made of audio that comes after the call was lost', () => {
      const test = unseen();
      test.pass(601);
      test.apply({ ...stored, durationMs: 9000 });
      expect(test.call).toMatchObject({ voicemailId: null, recordings: [{ isDeleted: true }] });
    });
  });

  it('a voicemail that could not be recorded is no voicemail', () => {
    const test = recording();
    test.pass(8);
    const order = test.commands.findLast(({ kind }) => kind === 'record')!;
    const refused = { step: 0, reason: '-ERR invalid session id', noSuchLeg: true };
    test.settle(order, { kind: 'control', failures: [refused] });
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
    expect(test.what).not.toContain('voicemail_left');
  });

  it.each<[string, (test: TestCall) => void]>([
    [
      'there is no file',
      (test) =>
        test.settle(
          { kind: 'upload_recording', recording: 'cal_1-1' },
          { kind: 'upload_recording', outcome: 'missing' },
        ),
    ],
    ['its audio never comes', (test) => test.pass(3601)],
  ])('a voicemail is withdrawn when %s, and the call is lost', (_name, end) => {
    const test = recording();
    test.apply({ ...stopped, durationMs: 7000 });
    test.hangUp();
    const { voicemailId } = test.call;
    end(test);
    expect(test.call.voicemailId).toBeNull();
    expect(test.commands).toContainEqual({ kind: 'withdraw_voicemail', voicemailId });
    expect(test.eventTypes).toEqual(['initiated', 'ended', 'lost']);
  });

  it('a voicemail of a switch that was killed is saved when the switch has its file', () => {
    const test = recording();
    test.pass(8);
    test.apply({ type: 'switch_restarted' });
    expect(test.eventTypes).toEqual(['initiated', 'ended']);
    test.apply({ type: 'recording_stored', recording: 'cal_1-1', sizeBytes: 1, contentHash: 'a1', durationMs: 8000 });
    expect(test.call.voicemailId).toMatch(/^vm_/);
  });
});
