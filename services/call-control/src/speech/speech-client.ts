import type { Readable } from 'node:stream';
import { Priority, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Channel } from '@parley/rpc';
import type { Blobs } from '../recordings/blob-store.ts';
import { HEADER_BYTES, readWavHeader, type WavHeader } from '../recordings/wav-header.ts';
import { pcm16Format, wavHeader } from '@parley/audio';

/** The recognised speech, by channel: 0 is the remote party, 1 the employee. */
export interface RecognizedSegment {
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export interface Speech {
  /** The recognised segments of a recording, or of what is in it from `fromMs` on; empty when there is no audio. */
  transcribe(recording: string, companyId: string, fromMs?: number): Promise<RecognizedSegment[]>;
  summarize(segments: readonly RecognizedSegment[], companyId: string): Promise<string>;
  /** One vector per text, and the model they belong to. */
  embed(
    texts: readonly string[],
    companyId: string,
    isSearch: boolean,
  ): Promise<{ vectors: number[][]; model: string }>;
}

/** A minute of speech on a busy machine. */
const TRANSCRIBE_MS_MAX = 300_000;
const SUMMARIZE_MS_MAX = 120_000;
const EMBED_MS_MAX = 60_000;
/** Below the limit of a request, so that a search finds words while the engine is slow. */
const SEARCH_MS_MAX = 5000;

export function speechClient(channel: Channel, blobs: Blobs): Speech {
  const speech = channel.client(SpeechService);
  return {
    async transcribe(recording, companyId, fromMs = 0) {
      const size = await blobs.size(recording);
      const header = size === undefined ? undefined : readWavHeader(await bytes(blobs, recording, 0, HEADER_BYTES));
      if (size === undefined || !header) return [];
      const heard: RecognizedSegment[] = [];
      let startMs = fromMs;
      let transcribedUntilMs: number[] = [];
      for (;;) {
        const { start, end, isLast } = pieceRange(header, size, startMs);
        if (start >= end) return heard;
        const response = await speech.transcribe(
          {
            audio: wavFile(header, await bytes(blobs, recording, start, end)),
            startMs,
            moreFollows: !isLast,
            transcribedUntilMs,
            companyId,
          },
          { timeoutMs: TRANSCRIBE_MS_MAX },
        );
        heard.push(...response.segments);
        if (isLast || response.continueAtMs <= startMs) return heard;
        startMs = response.continueAtMs;
        transcribedUntilMs = response.transcribedUntilMs;
      }
    },
    async summarize(segments, companyId) {
      const request = { segments: segments.map((segment) => ({ ...segment })), companyId };
      return (await speech.summarize(request, { timeoutMs: SUMMARIZE_MS_MAX })).summary;
    },
    async embed(texts, companyId, isSearch) {
      const priority = isSearch ? Priority.INTERACTIVE : Priority.BACKGROUND;
      const timeoutMs = isSearch ? SEARCH_MS_MAX : EMBED_MS_MAX;
      const { vectors, model } = await speech.embed({ texts: [...texts], companyId, priority }, { timeoutMs });
      return { vectors: vectors.map(({ values }) => values), model };
    },
  };
}

async function bytes(blobs: Blobs, name: string, start: number, end: number): Promise<Buffer> {
  const size = (await blobs.size(name)) ?? 0;
  const content: Readable | undefined = await blobs.read(name, { start, end: Math.min(end, size) });
  const chunks: Buffer[] = [];
  if (content) for await (const chunk of content as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const PIECE_SECS_MAX = 60;
/** The recogniser takes 8 MB at once. */
const PIECE_BYTES_MAX = 7_000_000;
const SAMPLE_BYTES = 2;

/** The byte range of a piece in a file of samples; frames are not split. */
function pieceRange(
  { bytesPerSecond, channels, dataStart }: WavHeader,
  fileBytes: number,
  startMs: number,
): { start: number; end: number; isLast: boolean } {
  const frameBytes = channels * SAMPLE_BYTES;
  const secs = Math.max(1, Math.min(PIECE_SECS_MAX, Math.floor(PIECE_BYTES_MAX / bytesPerSecond)));
  const frames = Math.floor((startMs / 1000) * (bytesPerSecond / frameBytes));
  const start = Math.min(dataStart + frames * frameBytes, fileBytes);
  const end = Math.min(start + secs * bytesPerSecond, fileBytes);
  return { start, end, isLast: end >= fileBytes };
}

/** The samples as a separate file. */
function wavFile(header: WavHeader, samples: Buffer): Buffer {
  return Buffer.concat([wavHeader(pcm16Format(header.channels, header.sampleRate), samples.length), samples]);
}
