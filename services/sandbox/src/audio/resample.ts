import type { Sound } from './wav.ts';

/** Half the width of the filter, in periods of the lower rate. */
const LOBES = 8;

/** The same sound at another rate, by a windowed sinc filter, so that nothing folds back into the audible range. */
export function resample(sound: Sound, sampleRate: number): Int16Array {
  if (sound.sampleRate === sampleRate) return sound.samples;
  const { samples } = sound;
  const step = sound.sampleRate / sampleRate;
  const cutoff = Math.min(1, 1 / step);
  const reach = LOBES / cutoff;
  const result = new Int16Array(Math.floor(samples.length / step));
  for (let index = 0; index < result.length; index += 1) {
    const centre = index * step;
    let sum = 0;
    for (let at = Math.max(0, Math.ceil(centre - reach)); at <= Math.min(samples.length - 1, centre + reach); at += 1) {
      sum += samples[at]! * weight(at - centre, cutoff, reach);
    }
    result[index] = clamp(sum);
  }
  return result;
}

function weight(distance: number, cutoff: number, reach: number): number {
  const x = Math.PI * distance * cutoff;
  const sinc = distance === 0 ? 1 : Math.sin(x) / x;
  return sinc * cutoff * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
}

/** A sample as loud as 16 bits allow. */
export const clamp = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));
