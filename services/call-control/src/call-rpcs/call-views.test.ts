import { describe, expect, it } from '@jest/globals';
import type { RecordingFile } from '../recordings/recording-file.ts';
import { recordingOf } from './call-views.ts';

const endedAt = new Date('2026-03-02T10:10:00Z');
const piece = (name: string, more: Partial<RecordingFile> = {}): RecordingFile => ({
  name,
  kind: 'conversation',
  legId: 'leg',
  startedAt: new Date('2026-03-02T10:00:00Z'),
  status: 'stopped',
  durationMs: null,
  sizeBytes: null,
  ...more,
});
const shown = (recordings: RecordingFile[], isAwaited: boolean, state: 'ended' | 'bridged' = 'ended') =>
  recordingOf({ state, recordings, endedAt }, { isAwaited });

describe('the recording of a call', () => {
  it('the recording of a call that is still to be fetched is named in events only, which are sent once', () => {
    expect([shown([piece('one')], true), shown([piece('one')], false)]).toEqual(['one', undefined]);
    expect([shown([piece('one')], true, 'bridged')]).toEqual([undefined]);
    const stored = piece('one', { status: 'stored', sizeBytes: 10, durationMs: 5 });
    expect([shown([stored], true), shown([stored], false)]).toEqual(['one', 'one']);
  });

  it.each([
    ['nothing was recorded', []],
    ['the switch does not have it', [piece('one', { status: 'missing' })]],
    ['it was deleted', [piece('one', { isDeleted: true })]],
    ['a voicemail was left', [piece('one', { kind: 'voicemail' })]],
  ])('the recording of a call is not named where %s', (_, recordings) => {
    expect(shown(recordings, true)).toBeUndefined();
  });

  it('the recording of a call is the longest piece, the same one before and after the pieces are stored', () => {
    const pieces = [
      piece('short', { durationMs: 60_000 }),
      piece('long', { durationMs: 300_000 }),
      piece('end', { startedAt: new Date('2026-03-02T10:08:00Z') }),
    ];
    expect(shown(pieces, true)).toBe('long');
    const stored = (one: RecordingFile) =>
      ({ ...one, status: 'stored', durationMs: one.durationMs ?? 120_000 }) as const;
    expect(shown(pieces.map(stored), false)).toBe('long');
    expect(shown([pieces[0]!, pieces[2]!], true)).toBe('end');
  });
});
