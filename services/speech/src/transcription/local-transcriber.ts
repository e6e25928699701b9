import type { Logger } from '@parley/telemetry';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { JobContext } from '../workers/job-context.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { WorkerLost } from '../workers/worker.ts';
import { type Pack, type packsOf, alignWords, unpack } from './packs.ts';
import type { Segment, Transcriber } from './transcriber.ts';
import type { RecognizedWords, WhisperJob } from './whisper-job.ts';

export interface LocalTranscriberOptions {
  readonly whisper: WorkerPool<WhisperJob, readonly RecognizedWords[]>;
  readonly packsOf: Calculation<typeof packsOf>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The model loads in a second or two, on a busy machine in a minute; a pack is read in a fraction of its length, unless the recogniser loops. */
const LOAD_LIMIT_MS = 90_000;
const LIMIT_PER_AUDIO_MS = 2;
/** A recogniser that is lost more often in one recording has another problem than unclear sound. */
const LOSSES_MAX = 2;

/** whisper.cpp on this machine, speaker by speaker. */
export function localTranscriber(options: LocalTranscriberOptions): Transcriber {
  const { whisper, log } = options;

  async function recognize(pack: Pack, language: string, context: JobContext): Promise<Segment[]> {
    const limitMs = LOAD_LIMIT_MS + (LIMIT_PER_AUDIO_MS * pack.samples.length * 1000) / SPEECH_RATE;
    const recognized = await whisper.run({ samples: pack.samples, language }, limitMs, context);
    const placed = alignWords(pack, recognized);
    if (placed) return placed;
    const segments: Segment[] = [];
    for (const alone of unpack(pack)) segments.push(...(await recognize(alone, language, context)));
    return segments;
  }

  return {
    async transcribe({ language, ...piece }, context) {
      const recording = await options.packsOf(piece, context);
      if (!recording) return undefined;
      const { packs, durationMs, doneUntilMs } = recording;
      const segments: Segment[] = [];
      let losses = 0;
      for (const pack of packs) {
        try {
          segments.push(...(await recognize(pack, whisperLanguage(language), context)));
        } catch (error) {
          // One unclear stretch must not cost the whole conversation; a recogniser that fails again and again does.
          losses += 1;
          const hopeless = losses > LOSSES_MAX || losses === packs.length;
          if (!(error instanceof WorkerLost) || context.signal.aborted || hopeless) throw error;
          log.warn({ err: error, startMs: pack.pieces[0]!.startMs }, 'a stretch of a recording could not be read');
        }
      }
      const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
      return { segments: inOrder, durationMs, doneUntilMs, engine: 'whisper-tiny' };
    },
  };
}

const LANGUAGES = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk ' +
    'te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ' +
    'ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
);

const ALIASES: Readonly<Record<string, string>> = { nb: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh', jv: 'jw' };

/** The recogniser's name for a language code; it finds out by itself what it has no name for. */
export function whisperLanguage(language: string): string {
  const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
  const code = ALIASES[base] ?? base;
  return LANGUAGES.has(code) ? code : 'auto';
}
