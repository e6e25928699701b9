import { availableParallelism } from 'node:os';
import path from 'node:path';
import { baseSettings, grpcServerSettings } from '@parley/service';
import { z } from 'zod';

const count = (standard: number) => z.coerce.number().int().positive().default(standard);

/** Half of the processors at most: whisper's threads wait for each other, which is slow on a busy machine. */
const WHISPER_THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
/** Of Moonshine, each with one thread and 350 MB; they give way to calls. */
const ENGLISH_WORKERS = Math.min(2, availableParallelism());

/** A company has half of them at most, so with two another one does not wait. */
const LISTENING_WORKERS = Math.max(2, Math.floor(availableParallelism() / 2));
/** Each takes about a fifteenth of a processor. */
const STREAMS_PER_PROCESSOR = 16;

const settings = z.object({
  ...baseSettings,
  ...grpcServerSettings,

  /** The folder of downloaded engines and models; several services may share it. */
  MODELS_DIR: z.string().default(path.resolve(import.meta.dirname, '../../../node_modules/.cache/parley/models')),
  /** `at_start` fetches what is missing in the background, `first_need` when a request needs it. */
  MODELS_FETCH: z.enum(['first_need', 'at_start']).default('first_need'),

  /** An OpenAI-compatible API, such as `https://api.example.com/v1`, in the place of the engines of this machine. */
  SYNTHESIS_URL: z.url().optional(),
  SYNTHESIS_API_KEY: z.string().optional(),
  SYNTHESIS_MODEL: z.string().optional(),
  SYNTHESIS_VOICE: z.string().default('alloy'),
  TRANSCRIPTION_URL: z.url().optional(),
  TRANSCRIPTION_API_KEY: z.string().optional(),
  TRANSCRIPTION_MODEL: z.string().optional(),
  /** `json` for models without timestamps. */
  TRANSCRIPTION_FORMAT: z.enum(['verbose_json', 'json']).default('verbose_json'),
  /** `whisper` leaves English to whisper as well. */
  TRANSCRIPTION_ENGINE: z.enum(['best', 'whisper']).default('best'),
  SUMMARY_URL: z.url().optional(),
  SUMMARY_API_KEY: z.string().optional(),
  SUMMARY_MODEL: z.string().optional(),
  EMBEDDING_URL: z.url().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  EMBEDDING_MODEL: z.string().optional(),

  /** Requests of a kind that may be in progress at once; one more is refused as `rate_limited`. */
  SYNTHESES_MAX: count(64),
  TRANSCRIPTIONS_MAX: count(16),
  SUMMARIES_MAX: count(16),
  EMBEDDINGS_MAX: count(64),
  /** The same for calls that are listened to. */
  LISTENING_MAX: count(STREAMS_PER_PROCESSOR * availableParallelism()),
  /** Including the time in the queue. */
  SYNTHESIS_LIMIT_SECS: count(120),
  TRANSCRIPTION_LIMIT_SECS: count(900),
  SUMMARY_LIMIT_SECS: count(120),
  EMBEDDING_LIMIT_SECS: count(60),

  /** Processes of each engine. */
  SYNTHESIS_WORKERS: count(1),
  TRANSCRIPTION_WORKERS: count(1),
  TRANSCRIPTION_WORKERS_ENGLISH: count(ENGLISH_WORKERS),
  LISTENING_WORKERS: count(LISTENING_WORKERS),
  TRANSCRIPTION_THREADS: count(WHISPER_THREADS),
  /** An engine without work is ended after this time. Loading one again takes up to four seconds. */
  WORKER_IDLE_SECS: count(900),

  /** Only beside a sandbox: its fault switch for speech is honoured. */
  SANDBOX_URL: z.url().optional(),
});

/** A model is needed wherever an address is given. */
export const config = settings.superRefine((given, context) => {
  for (const capability of ['SYNTHESIS', 'TRANSCRIPTION', 'SUMMARY', 'EMBEDDING'] as const) {
    if (given[`${capability}_URL`] !== undefined && given[`${capability}_MODEL`] === undefined) {
      context.addIssue({ code: 'custom', path: [`${capability}_URL`], message: `needs ${capability}_MODEL as well` });
    }
  }
});

export type Config = z.output<typeof config>;
