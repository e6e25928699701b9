import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeG711, encodeG711, readWav, resample, toFloat32, writeWav } from '@parley/audio';
import { SPEECH_RATE, toInt16 } from '../../src/audio/speech-samples.ts';

const TELEPHONE_RATE = 8000;

/** Speech as a recording of a telephone call has it: 8 kHz, in the steps of mu-law. */
export function overTelephone(speech: Int16Array): Buffer {
  const samples = toInt16(resample(toFloat32(speech), SPEECH_RATE, TELEPHONE_RATE));
  return writeWav([decodeG711('PCMU', encodeG711('PCMU', samples))], TELEPHONE_RATE);
}

/** A person over the telephone: the end of John F. Kennedy's inaugural address, 1961, in the public domain. */
export const RECORDED_WORDS =
  'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.';

export async function recordedSpeech(): Promise<Buffer> {
  const { channels } = readWav(await readFile(path.join(import.meta.dirname, 'kennedy-8khz-mulaw.wav')))!;
  return writeWav([toInt16(channels[0]!)], TELEPHONE_RATE);
}
