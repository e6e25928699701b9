import type { Logger } from '@parley/telemetry';
import type { Calculator } from '../calculations/calculator.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { WorkerLost } from '../workers/worker.ts';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { cleanWords } from './clean-words.ts';
import type { Segment, Transcriber } from './transcriber.ts';
import type { Turn } from './turns.ts';
import type { HeardWords, WhisperJob } from './whisper-job.ts';
import { whisperLanguage } from './whisper-language.ts';

export interface LocalTranscriberOptions {
  readonly whisper: WorkerPool<WhisperJob, readonly HeardWords[]>;
  readonly calculate: Calculator;
  readonly log: Pick<Logger, 'warn'>;
}

/** The model loads in a second or two; a turn is read in a fraction of its length, unless the recogniser loops. */
const LOAD_LIMIT_MS = 20_000;
const LIMIT_PER_AUDIO_MS = 2;

/** whisper.cpp on this machine, channel by channel and turn by turn. */
export function localTranscriber({ whisper, calculate, log }: LocalTranscriberOptions): Transcriber {
  async function hear(turn: Turn, language: string, signal: AbortSignal): Promise<Segment[]> {
    const lengthMs = (turn.samples.length * 1000) / SPEECH_RATE;
    const limitMs = LOAD_LIMIT_MS + LIMIT_PER_AUDIO_MS * lengthMs;
    const heard = await whisper.run({ samples: turn.samples, language }, limitMs, signal);
    return heard.flatMap(({ startMs, endMs, text }) => {
      const words = cleanWords(text);
      const at = (ms: number) => Math.round(turn.startMs + Math.min(ms, lengthMs));
      return words === '' ? [] : [{ channel: turn.channel, startMs: at(startMs), endMs: at(endMs), text: words }];
    });
  }

  return {
    async transcribe({ wav, language }, signal) {
      const recording = await calculate('turnsOf', { wav }, signal);
      if (!recording) return undefined;
      const segments: Segment[] = [];
      let lost = 0;
      for (const turn of recording.turns) {
        try {
          segments.push(...(await hear(turn, whisperLanguage(language), signal)));
        } catch (error) {
          // One unclear stretch must not cost the whole conversation; a recogniser that never answers is another matter.
          lost += 1;
          if (!(error instanceof WorkerLost) || signal.aborted || lost === recording.turns.length || lost > 2)
            throw error;
          log.warn({ err: error, startMs: turn.startMs }, 'a stretch of a recording could not be read');
        }
      }
      return {
        segments: segments.toSorted((a, b) => a.startMs - b.startMs),
        channelCount: recording.channelCount,
        durationMs: recording.durationMs,
        engine: 'whisper-tiny',
      };
    },
  };
}
