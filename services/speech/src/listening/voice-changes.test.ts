import { describe, expect, it } from '@jest/globals';
import { endOfAudio, FRAME_MS, hearFrame, silentFromStart, type VoiceChange } from './voice-changes.ts';

/** `#` is a frame with voice, `-` one that may go on with it, `.` one without. */
const PROBABILITIES: Record<string, number> = { '#': 0.9, '-': 0.4, '.': 0.02 };

function hear(frames: string): { changes: string[]; atEnd: VoiceChange | undefined } {
  let state = silentFromStart;
  const changes: string[] = [];
  for (const [index, frame] of [...frames].entries()) {
    const next = hearFrame(state, PROBABILITIES[frame]!);
    state = next.state;
    if (next.change) changes.push(`${next.change.kind} ${next.change.atMs / FRAME_MS} in frame ${index}`);
  }
  return { changes, atEnd: endOfAudio(state) };
}

describe('a voice', () => {
  it('a voice has begun with its first frame, which is known with the second one', () => {
    expect(hear('...##').changes).toEqual(['began 3 in frame 4']);
  });

  it('a voice has paused after its last frame, which is known after 192 ms without one', () => {
    expect(hear('.####......').changes).toEqual(['began 1 in frame 2', 'paused 5 in frame 10']);
  });

  it('a voice goes on after a shorter gap, and while it is soft', () => {
    expect(hear('##.....##-----------.....').changes).toEqual(['began 0 in frame 1']);
  });

  it('a voice begins again after a pause', () => {
    expect(hear('##......##......').changes).toEqual([
      'began 0 in frame 1',
      'paused 2 in frame 7',
      'began 8 in frame 9',
      'paused 10 in frame 15',
    ]);
  });

  it('a voice does not begin with a click or with what is soft', () => {
    expect(hear('.#.#.--#--.#.').changes).toEqual([]);
  });

  it('a voice pauses at the latest when the audio ends', () => {
    expect(hear('.###..').atEnd).toEqual({ kind: 'paused', atMs: 4 * FRAME_MS });
    expect(hear('.###......').atEnd).toBeUndefined();
    expect(hear('...').atEnd).toBeUndefined();
  });
});
