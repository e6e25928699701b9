export {
  isWav,
  pcm16Format,
  readTelephoneFormat,
  readWavChunks,
  SAMPLE_RATE_MAX,
  SAMPLE_RATE_MIN,
  type TelephoneAudio,
  type WavChunks,
  wavHeader,
} from './wav.ts';
