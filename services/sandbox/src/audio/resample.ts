import { clampSample, resample as resampleChannel, toFloat32 } from '@parley/audio';
import type { Sound } from './wav.ts';

/** The samples of a sound at another rate. */
export function resample({ samples, sampleRate }: Sound, to: number): Int16Array {
  if (sampleRate === to) return samples;
  return Int16Array.from(resampleChannel(toFloat32(samples), sampleRate, to), (sample) => clampSample(sample * 32_768));
}
