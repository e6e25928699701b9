export {
  isWav,
  pcm16Format,
  readTelephoneFormat,
  readWavChunks,
  SAMPLE_RATE_MAX,
  SAMPLE_RATE_MIN,
  wavHeader,
} from './wav.ts';
