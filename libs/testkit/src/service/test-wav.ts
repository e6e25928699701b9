import { pcm16Format, wavHeader } from '@parley/audio';

/** A WAV file of 16-bit mono samples at 8 kHz; `fill` makes files distinguishable. */
export function testWav(sampleBytes: number, fill: number): Uint8Array {
  return Buffer.concat([wavHeader(pcm16Format(1, 8000), sampleBytes), Buffer.alloc(sampleBytes, fill)]);
}
