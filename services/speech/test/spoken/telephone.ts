import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readWav, resample, ulawToLinear, writeWav } from '@parley/audio';
import { SPEECH_RATE, toInt16 } from '../../src/audio/speech-samples.ts';

const TELEPHONE_RATE = 8000;

/** Every value that a byte of mu-law stands for. */
const levels = Float32Array.from({ length: 256 }, (_, byte) => ulawToLinear(byte)).toSorted();

/** Speech as a recording of a telephone call has it: 8 kHz, in the steps of mu-law. */
export function overTelephone(speech: Int16Array): Buffer {
  const sound = Float32Array.from(speech, (sample) => sample / 32_768);
  return writeWav([toInt16(resample(sound, SPEECH_RATE, TELEPHONE_RATE).map(nearestLevel))], TELEPHONE_RATE);
}

function nearestLevel(value: number): number {
  let [low, high] = [0, levels.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (levels[middle]! < value) low = middle;
    else high = middle;
  }
  return value - levels[low]! < levels[high]! - value ? levels[low]! : levels[high]!;
}

/** A person over the telephone: the end of John F. Kennedy's inaugural address, 1961, in the public domain. */
export const RECORDED_WORDS =
  'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.';

export async function recordedSpeech(): Promise<Buffer> {
  const { channels } = readWav(await readFile(path.join(import.meta.dirname, 'kennedy-8khz-mulaw.wav')))!;
  return writeWav([toInt16(channels[0]!)], TELEPHONE_RATE);
}
