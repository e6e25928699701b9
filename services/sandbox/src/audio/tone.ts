import type { Sound } from './wav.ts';

const SAMPLE_RATE = 8000;
const AMPLITUDE = 6000;

/** One tone of FreeSWITCH's `%(on,off,frequency,…)`, in milliseconds and hertz: several frequencies at once. */
interface Tone {
  readonly onMs: number;
  readonly offMs: number;
  readonly frequencies: readonly number[];
}

/** The tones of a `tone_stream://` description. */
export function readTones(description: string): readonly Tone[] {
  return Array.from(description.matchAll(/%\((\d+),(\d+)((?:,\d+)*)\)/g), ([, on, off, frequencies = '']) => ({
    onMs: Number(on),
    offMs: Number(off),
    frequencies: frequencies.split(',').filter(Boolean).map(Number),
  }));
}

export const tonesDurationMs = (tones: readonly Tone[]): number =>
  tones.reduce((sum, { onMs, offMs }) => sum + onMs + offMs, 0);

/** All tones, one after the other, as sound. */
export function tonesSound(tones: readonly Tone[]): Sound {
  const samples = new Int16Array(Math.round((tonesDurationMs(tones) / 1000) * SAMPLE_RATE));
  let start = 0;
  for (const { onMs, offMs, frequencies } of tones) {
    const length = Math.round((onMs / 1000) * SAMPLE_RATE);
    for (let at = 0; at < length && start + at < samples.length; at += 1) {
      const sum = frequencies.reduce((all, hertz) => all + Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE), 0);
      samples[start + at] = Math.round((AMPLITUDE * sum) / Math.max(1, frequencies.length));
    }
    start += length + Math.round((offMs / 1000) * SAMPLE_RATE);
  }
  return { samples, sampleRate: SAMPLE_RATE };
}
