import type { Logger } from '@parley/telemetry';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import type { Recognized } from '../recognition/moonshine.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { WorkerLost } from '../workers/worker.ts';
import {
  chooseRecognizers,
  type ChosenRecognizers,
  isEnglish,
  type RecognizedTurn,
  whisperLanguage,
} from './choose-recognizer.ts';
import { cleanWords } from './clean-words.ts';
import { alignWords, type Pack, packsOf, unpack } from './packs.ts';
import type { SpeakerTurn, speakerTurnsIn } from './speaker-turns.ts';
import type { Segment, Transcriber } from './transcriber.ts';
import type { RecognizedWords, WhisperJob } from './whisper-job.ts';

export interface LocalTranscriberOptions {
  /** For English; undefined where it is not to be used. */
  readonly moonshine: WorkerPool<Int16Array, Recognized> | undefined;
  /** For every language, and for English that is not clear. */
  readonly whisper: WorkerPool<WhisperJob, readonly RecognizedWords[]>;
  /** False on platforms without a build of whisper, where its jobs fail. */
  readonly hasWhisper: boolean;
  readonly speakerTurnsIn: Calculation<typeof speakerTurnsIn>;
  readonly log: Pick<Logger, 'warn'>;
}

/** A model loads in a second or two, on a busy machine in a minute; speech is read in a fraction of its length, unless the recogniser loops. */
const LOAD_LIMIT_MS = 90_000;
const LIMIT_PER_AUDIO_MS = 2;
/** A recogniser that is lost more often in one recording has another problem than unclear sound. */
const LOSSES_MAX = 2;

/** Moonshine and whisper.cpp on this machine, speaker by speaker. */
export function localTranscriber(options: LocalTranscriberOptions): Transcriber {
  const { moonshine, whisper, log } = options;

  /** A turn that Moonshine cannot read at all is left to whisper. */
  async function recognizeTurn(
    recognizer: NonNullable<typeof moonshine>,
    turn: SpeakerTurn,
    context: JobContext,
  ): Promise<RecognizedTurn> {
    try {
      return { turn, ...(await recognizer.run(turn.samples, limitMsOf(turn.samples), context)) };
    } catch (error) {
      if (context.signal.aborted) throw error;
      log.warn({ err: error, startMs: turn.startMs }, 'Moonshine could not read a stretch of a recording');
      return { turn, text: '', confidence: -Infinity };
    }
  }

  async function recognizePack(pack: Pack, language: string, context: JobContext): Promise<Segment[]> {
    const recognized = await whisper.run({ samples: pack.samples, language }, limitMsOf(pack.samples), context);
    const placed = alignWords(pack, recognized);
    if (placed) return placed;
    const segments: Segment[] = [];
    for (const alone of unpack(pack)) segments.push(...(await recognizePack(alone, language, context)));
    return segments;
  }

  async function recognizeByWhisper(
    turns: readonly SpeakerTurn[],
    language: string,
    context: JobContext,
  ): Promise<Segment[]> {
    const packs = packsOf(turns);
    const segments: Segment[] = [];
    let losses = 0;
    for (const pack of packs) {
      try {
        segments.push(...(await recognizePack(pack, whisperLanguage(language), context)));
      } catch (error) {
        // One unclear stretch must not cost the whole conversation; a recogniser that fails again and again does.
        losses += 1;
        const hopeless = losses > LOSSES_MAX || losses === packs.length;
        if (!(error instanceof WorkerLost) || context.signal.aborted || hopeless) throw error;
        log.warn({ err: error, startMs: pack.pieces[0]!.startMs }, 'a stretch of a recording could not be read');
      }
    }
    return segments;
  }

  async function chosenRecognizers(
    turns: readonly SpeakerTurn[],
    language: string,
    context: JobContext,
  ): Promise<ChosenRecognizers> {
    if (!moonshine || (language !== '' && !isEnglish(language)))
      return { settled: [], doubtful: new Map(turns.length > 0 ? [[language, turns]] : []) };
    const recognized: RecognizedTurn[] = [];
    for (const turn of turns) recognized.push(await recognizeTurn(moonshine, turn, context));
    return chooseRecognizers(recognized, language, options.hasWhisper);
  }

  return {
    async transcribe({ language, ...piece }, context) {
      const recording = await options.speakerTurnsIn(piece, context);
      if (!recording) return undefined;
      const { turns, durationMs, doneUntilMs } = recording;
      const { settled, doubtful } = await chosenRecognizers(turns, language, context);
      const segments = settled.flatMap(({ turn, text }) => segmentOf(turn, text));
      for (const [spoken, own] of doubtful) segments.push(...(await recognizeByWhisper(own, spoken, context)));
      const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
      const engines = [settled.length > 0 && 'moonshine-tiny', doubtful.size > 0 && 'whisper-tiny'];
      return { segments: inOrder, durationMs, doneUntilMs, engine: engines.filter(Boolean).join(', ') };
    },
  };
}

function limitMsOf(samples: Int16Array): number {
  return LOAD_LIMIT_MS + (LIMIT_PER_AUDIO_MS * samples.length * 1000) / SPEECH_RATE;
}

function segmentOf({ channel, startMs, samples }: SpeakerTurn, words: string): Segment[] {
  const text = cleanWords(words);
  if (text === '') return [];
  return [{ channel, startMs, endMs: startMs + Math.round((samples.length * 1000) / SPEECH_RATE), text }];
}
