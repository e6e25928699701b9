export { type Codec, decodeG711, encodeG711 } from './g711.ts';
export { resample } from './resample.ts';
export { clampSample, pcmOf, samplesOf, toFloat32 } from './samples.ts';
export { readRecording, readWav, type Sound, writeWav } from './sound.ts';
export {
  isWav,
  pcm16Format,
  readTelephoneFormat,
  readWavChunks,
  SAMPLE_RATE_MAX,
  SAMPLE_RATE_MIN,
  wavHeader,
} from './wav.ts';
