import { z } from 'zod';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { RecordingPiece } from './recording-piece.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { channelsOf } from './channels.ts';
import { cleanWords } from './clean-words.ts';
import { type RemoteRecognizer, requestTranscription } from './remote-recognizer.ts';

/** Words of one speaker. */
export interface Segment {
  /** 0 is the left channel. */
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

interface Transcript {
  /** In the order of their start. */
  readonly segments: readonly Segment[];
  readonly durationMs: number;
  /** Per channel: the recording is transcribed up to here. */
  readonly doneUntilMs: readonly number[];
  readonly engine: string;
}

/** A recording as it was sent. */
interface Recording extends RecordingPiece {
  /** Language code; empty when it is not known. */
  readonly language: string;
}

/** Speech to text: a local engine or a remote endpoint. Undefined for what is not a WAV file. */
export interface Transcriber {
  transcribe(recording: Recording, context: JobContext): Promise<Transcript | undefined>;
}

interface RemoteTranscriberOptions extends RemoteRecognizer {
  readonly channelsOf: Calculation<typeof channelsOf>;
}

const answerJson = z.object({
  text: z.string(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
});

/** One request for each channel with speech; models without timestamps return one segment for each. */
export function remoteTranscriber(options: RemoteTranscriberOptions): Transcriber {
  return {
    async transcribe({ language, ...piece }, context) {
      const recording = await options.channelsOf(piece, context);
      if (!recording) return undefined;
      const { durationMs, doneUntilMs, spoken } = recording;
      const segments: Segment[] = [];
      for (const { channel, startMs, wav: oneChannel } of spoken) {
        const answer = await requestTranscription(options, oneChannel, language, context.signal);
        const { text, segments: timed } = answerJson.parse(answer);
        const recognized = timed ?? [{ start: 0, end: (durationMs - startMs) / 1000, text }];
        for (const { start, end, text: words } of recognized) {
          const clean = cleanWords(words);
          if (clean === '') continue;
          const at = (secs: number) => startMs + Math.round(secs * 1000);
          segments.push({ channel, startMs: at(start), endMs: at(end), text: clean });
        }
      }
      const inOrder = segments.toSorted((a, b) => a.startMs - b.startMs);
      return { segments: inOrder, durationMs, doneUntilMs, engine: options.model };
    },
  };
}
