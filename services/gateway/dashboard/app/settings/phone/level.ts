/** Quieter than this, in decibels below full scale, is silence. */
const SILENCE_DB = -60;

/** The loudness of samples between -1 and 1, from 0 for silence to 100 for the maximum, linear in decibels. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const decibels = power === 0 ? -Infinity : 10 * Math.log10(power);
  return Math.round(Math.max(0, Math.min(1, 1 - decibels / SILENCE_DB)) * 100);
}
