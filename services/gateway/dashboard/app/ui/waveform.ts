const BARS = 64;

/** The loudest sample in each of `bars` equal parts, from 0 to 1, in relation to the loudest of all. */
export function peaksOf(samples: Float32Array, bars = BARS): readonly number[] {
  const step = samples.length / bars;
  const peaks = Array.from({ length: bars }, (_, bar) => {
    let loudest = 0;
    for (let at = Math.floor(bar * step); at < Math.floor((bar + 1) * step); at++)
      loudest = Math.max(loudest, Math.abs(samples[at] ?? 0));
    return loudest;
  });
  const max = Math.max(...peaks);
  return max === 0 ? peaks : peaks.map((peak) => peak / max);
}

/** Until the audio is known: a line. */
export const FLAT: readonly number[] = Array.from({ length: BARS }, () => 0);

/** Audio that is larger is played without its waveform: all of it would have to be in memory. */
const BYTES_MAX = 24_000_000;

/** The waveform of each channel; undefined for audio that cannot be decoded. */
export async function readWaveform(url: string): Promise<readonly (readonly number[])[] | undefined> {
  const response = await fetch(url);
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > BYTES_MAX) return undefined;
  const context = new OfflineAudioContext(1, 1, 8000);
  const audio = await context.decodeAudioData(await response.arrayBuffer());
  return Array.from({ length: audio.numberOfChannels }, (_, channel) => peaksOf(audio.getChannelData(channel)));
}
