export { isWav, pcm16Format, readWavChunks, type WavChunks, wavHeader } from './wav.ts';
