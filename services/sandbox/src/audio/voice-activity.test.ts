import { describe, expect, it } from '@jest/globals';
import { VoiceActivity } from './voice-activity.ts';

const FRAME = 160;
const silence = () => new Int16Array(FRAME);
const speech = () => Int16Array.from({ length: FRAME }, (_, at) => 3000 * Math.sin(at));
/** The number of frames that pass, for each given frame. */
const passed = (frames: readonly Int16Array[]) => {
  const activity = new VoiceActivity(8000);
  return frames.map((frame) => activity.pass(frame).length);
};
const times = (count: number, frame: () => Int16Array) => Array.from({ length: count }, frame);

describe('VoiceActivity', () => {
  it('VoiceActivity holds silence back', () => {
    expect(passed(times(100, silence)).every((count) => count === 0)).toBe(true);
  });

  it('VoiceActivity lets speech pass with the 200 ms before it', () => {
    expect(passed([...times(50, silence), ...times(3, speech)]).slice(50)).toEqual([11, 1, 1]);
  });

  it('VoiceActivity counts utterances', () => {
    const activity = new VoiceActivity(8000);
    const count = (frames: readonly Int16Array[]) => {
      for (const frame of frames) activity.pass(frame);
      return activity.utterances;
    };
    expect(count(times(5, silence))).toBe(0);
    expect(count([speech(), ...times(20, silence), speech()])).toBe(1);
    expect(count([...times(30, silence), speech()])).toBe(2);
  });

  it('VoiceActivity lets speech pass that begins at once', () => {
    expect(passed(times(2, speech))).toEqual([1, 1]);
  });

  it('VoiceActivity keeps pauses within an utterance, and cuts longer ones to half a second', () => {
    const short = passed([speech(), ...times(25, silence), speech()]);
    expect(short.every((count) => count === 1)).toBe(true);
    const long = passed([speech(), ...times(60, silence), speech()]);
    expect(long.slice(0, 26).every((count) => count === 1)).toBe(true);
    expect(long.slice(26)).toEqual([...times(35, silence).map(() => 0), 11]);
  });
});
