import { describe, expect, it } from '@jest/globals';
import { joinSpeech, SPEECH_RATE, speechSamples, toInt16, trimSilence } from './speech-samples.ts';

const tone = (hertz: number, rate: number, secs: number) =>
  Float32Array.from({ length: rate * secs }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

describe('the output of an engine', () => {
  const silence = (secs: number) => new Float32Array(SPEECH_RATE * secs);
  const padded = Float32Array.of(...silence(0.5), ...tone(300, SPEECH_RATE, 1), ...silence(0.8));

  it('the output of an engine loses the silence around it, but not the breath before and after', () => {
    const secs = trimSilence(padded).length / SPEECH_RATE;
    expect(secs).toBeGreaterThan(1.1);
    expect(secs).toBeLessThan(1.25);
    expect(trimSilence(silence(1))).toHaveLength(0);
  });

  it('the output of an engine is turned down where it is too loud, never cut off', () => {
    expect([...toInt16(Float32Array.of(2, -1, 0.5))]).toEqual([32_767, -16_383, 8192]);
  });

  it('the output of an engine comes at our rate from any other', () => {
    expect(speechSamples(tone(300, 44_100, 1), 44_100).length / SPEECH_RATE).toBeCloseTo(1, 1);
  });

  it('the output of an engine is joined with pauses between, and none around', () => {
    const joined = joinSpeech([Int16Array.of(1), new Int16Array(), Int16Array.of(2, 3)], 1);
    expect([...joined]).toEqual([1, ...Array.from({ length: 16 }, () => 0), 2, 3]);
    expect(joinSpeech([], 200)).toHaveLength(0);
  });
});
