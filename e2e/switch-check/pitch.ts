/** The share of a pitch in the samples (8 kHz), from 0 to 1 (Goertzel). */
export function pitch(samples: readonly number[], hertz: number): number {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  if (samples.length === 0 || energy === 0) return 0;
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / 8000);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + coefficient * last - before];
  const power = last * last + before * before - coefficient * last * before;
  return (2 * power) / (samples.length * energy);
}

/** Root mean square. */
export function loudness(samples: readonly number[]): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}
