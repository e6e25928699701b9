/** Zero crossings of the sinc on each side: telephone quality needs no more, and it costs little. */
const CROSSINGS = 16;
/** Two rates without a common divisor need a filter for each of `to` phases: this bounds it to two million numbers. */
const RATE_MAX = 48_000;

/** The same sound at another rate: windowed sinc, band limited to the lower of the two rates. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples;
  if (![from, to].every((rate) => Number.isSafeInteger(rate) && rate > 0 && rate <= RATE_MAX))
    throw new RangeError('a sample rate that cannot be converted');
  const divisor = gcd(from, to);
  const up = to / divisor;
  const down = from / divisor;
  const cutoff = Math.min(1, up / down);
  const half = Math.ceil(CROSSINGS / cutoff);
  const phases = phaseTable(up, cutoff, half);
  const output = new Float32Array(Math.floor((samples.length * up) / down));
  for (let n = 0; n < output.length; n += 1) {
    const position = n * down;
    const centre = Math.floor(position / up);
    const taps = phases[position % up]!;
    const first = Math.max(0, centre - half + 1);
    const last = Math.min(samples.length - 1, centre + half);
    let sum = 0;
    for (let i = first; i <= last; i += 1) sum += samples[i]! * taps[i - centre + half - 1]!;
    output[n] = sum;
  }
  return output;
}

/** The filter as seen from each place between two input samples that an output sample can have. */
function phaseTable(up: number, cutoff: number, half: number): Float32Array[] {
  return Array.from({ length: up }, (_, phase) => {
    const taps = new Float32Array(2 * half);
    let total = 0;
    for (let i = 0; i < taps.length; i += 1) {
      const distance = i - half + 1 - phase / up;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (half + 1));
      taps[i] = sinc(distance * cutoff) * window;
      total += taps[i]!;
    }
    return taps.map((tap) => tap / total);
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
