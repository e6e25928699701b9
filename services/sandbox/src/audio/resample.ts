import type { Sound } from './wav.ts';

/** Half the width of the filter, in periods of the lower rate. */
const LOBES = 8;

/** The same sound at another rate, by a windowed sinc filter, so that nothing folds back into the audible range. */
export function resample(sound: Sound, sampleRate: number): Int16Array {
  if (sound.sampleRate === sampleRate) return sound.samples;
  const { samples } = sound;
  const divisor = greatestDivisor(sound.sampleRate, sampleRate);
  const phases = filterPhases(sound.sampleRate / sampleRate, sampleRate / divisor);
  const result = new Int16Array(Math.floor((samples.length * sampleRate) / sound.sampleRate));
  for (let index = 0; index < result.length; index += 1) {
    const { first, weights } = phases[index % phases.length]!;
    const start = Math.floor(index / phases.length) * (sound.sampleRate / divisor) + first;
    let sum = 0;
    for (let tap = Math.max(0, -start); tap < weights.length && start + tap < samples.length; tap += 1) {
      sum += samples[start + tap]! * weights[tap]!;
    }
    result[index] = clamp(sum);
  }
  return result;
}

/** The filter for each position between two samples, which repeat: its weights, and the first sample that has one. */
function filterPhases(step: number, count: number): readonly { first: number; weights: Float64Array }[] {
  const cutoff = Math.min(1, 1 / step);
  const reach = LOBES / cutoff;
  return Array.from({ length: count }, (_, phase) => {
    const centre = phase * step;
    const first = Math.ceil(centre - reach);
    const length = Math.floor(centre + reach) - first + 1;
    return { first, weights: Float64Array.from({ length }, (_w, tap) => weight(first + tap - centre, cutoff, reach)) };
  });
}

function weight(distance: number, cutoff: number, reach: number): number {
  const x = Math.PI * distance * cutoff;
  const sinc = distance === 0 ? 1 : Math.sin(x) / x;
  return sinc * cutoff * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

/** A sample as loud as 16 bits allow. */
export const clamp = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));
