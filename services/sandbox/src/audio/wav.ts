import { clampSample, readWav as readSound } from '@parley/audio';

/** Sound as samples, one channel. */
export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export const durationMs = (sound: Sound): number => (sound.samples.length / sound.sampleRate) * 1000;

/** Reads a WAV file; two channels are mixed into one. Undefined when it is nothing of the kind. */
export function readWav(file: Buffer): Sound | undefined {
  const sound = readSound(file);
  if (!sound) return undefined;
  const { rate: sampleRate, channels } = sound;
  const [first, second] = channels;
  const mixed = second ? first!.map((sample, frame) => (sample + second[frame]!) / 2) : first!;
  return { samples: Int16Array.from(mixed, (sample) => clampSample(sample * 32_768)), sampleRate };
}

/** The header has length 0, as in the file of a switch that was killed during a recording. */
export function withUnfinishedHeader(file: Buffer): Buffer {
  const unfinished = Buffer.from(file);
  unfinished.writeUInt32LE(8, 4);
  unfinished.writeUInt32LE(0, 40);
  return unfinished;
}
