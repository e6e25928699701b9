import { describe, expect, it } from '@jest/globals';
import { readTones, tonesDurationMs, tonesSound } from './audio-source.ts';
import { durationMs } from '../audio/wav.ts';

describe('tones', () => {
  it('readTones reads what a tone_stream describes', () => {
    expect(readTones('%(1000,4000,425);loops=-1')).toEqual([{ onMs: 1000, offMs: 4000, frequencies: [425] }]);
    expect(readTones('%(100,0,350,440)%(50,50,600)')).toEqual([
      { onMs: 100, offMs: 0, frequencies: [350, 440] },
      { onMs: 50, offMs: 50, frequencies: [600] },
    ]);
  });

  it('a tone sounds with the frequency, then pauses', () => {
    const tones = readTones('%(1000,500,425)');
    const sound = tonesSound(tones);
    expect(durationMs(sound)).toBe(tonesDurationMs(tones));
    const on = sound.samples.subarray(0, 8000);
    const crossings = on.filter((sample, at) => at > 0 && Math.sign(sample) > 0 && Math.sign(on[at - 1]!) <= 0).length;
    expect(Math.abs(crossings - 425)).toBeLessThanOrEqual(1);
    expect(sound.samples.subarray(8000).every((sample) => sample === 0)).toBe(true);
  });
});
