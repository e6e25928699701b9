import { z } from 'zod';
import { writeWav } from '@parley/audio';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { Recognized } from '../recognition/moonshine.ts';
import { isEnglish } from '../transcription/choose-recognizer.ts';
import { cleanWords } from '../transcription/clean-words.ts';
import { type RemoteRecognizer, requestTranscription } from '../transcription/remote-recognizer.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';

/** What was said in a part of an utterance. */
export interface Words {
  /** Empty for a noise, and where no words can be made out. */
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Speech to text for calls in progress: a local engine or a remote endpoint. */
export interface UtteranceRecognizer {
  knows(language: string): boolean;
  /** Loads what so many open streams need, by company, and keeps it until there are fewer. */
  keepLoadedFor(streamsByCompany: ReadonlyMap<string, number>): Promise<void>;
  /** Up to half a minute at `TELEPHONE_RATE`. */
  recognize(samples: Int16Array, language: string, context: JobContext): Promise<Words>;
}

const NO_WORDS: Words = { text: '', confidence: 0 };
/** Single English words on a noisy line are above it; half of what is made up for other languages is below. Noises have no words at all. */
const CONFIDENCE_MIN = 0.4;
const LOCAL_LIMIT_MS = 20_000;
const REMOTE_LIMIT_MS = 10_000;

/** How many of the recogniser's workers one company may use at once. */
export const shareOfCompany = (workers: number) => Math.max(1, Math.floor(workers / 2));

/** How many workers the open streams can use. */
export function workersFor(streamsByCompany: ReadonlyMap<string, number>, workers: number): number {
  const usable = [...streamsByCompany.values()].map((streams) => Math.min(streams, shareOfCompany(workers)));
  return Math.min(
    workers,
    usable.reduce((sum, count) => sum + count, 0),
  );
}

/** Moonshine on this machine: English. */
export function localUtteranceRecognizer(
  pool: WorkerPool<Int16Array, Recognized>,
  workers: number,
): UtteranceRecognizer {
  return {
    knows: (language) => language === '' || isEnglish(language),
    keepLoadedFor: (streams) => pool.keepLoaded(workersFor(streams, workers)),
    async recognize(samples, _language, context) {
      const { text, confidence } = await pool.run(samples, LOCAL_LIMIT_MS, context);
      return certainWords(text, Math.exp(confidence));
    },
  };
}

const answerJson = z.object({
  text: z.string(),
  segments: z.array(z.object({ avg_logprob: z.number().optional() })).optional(),
});

/** `POST /audio/transcriptions`, in any language. */
export function remoteUtteranceRecognizer(recognizer: RemoteRecognizer): UtteranceRecognizer {
  return {
    knows: () => true,
    keepLoadedFor: async () => undefined,
    async recognize(samples, language, { signal }) {
      const wav = writeWav([samples], TELEPHONE_RATE);
      const limited = AbortSignal.any([signal, AbortSignal.timeout(REMOTE_LIMIT_MS)]);
      const { text, segments = [] } = answerJson.parse(await requestTranscription(recognizer, wav, language, limited));
      const logProbabilities = segments.flatMap(({ avg_logprob }) => avg_logprob ?? []);
      const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / (logProbabilities.length || 1);
      return certainWords(text, Math.min(1, Math.exp(mean)));
    },
  };
}

function certainWords(recognized: string, confidence: number): Words {
  const text = cleanWords(recognized);
  return text === '' || confidence < CONFIDENCE_MIN ? NO_WORDS : { text, confidence };
}
