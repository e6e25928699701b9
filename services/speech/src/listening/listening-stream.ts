import { PassThrough } from 'node:stream';
import type { JobContext } from '../workers/serve-jobs.ts';
import { repeatIfLost } from '../workers/worker.ts';
import { createHeardAudio, quietestMs } from './heard-audio.ts';
import { createRecognitions, joinWords } from './recognitions.ts';
import {
  begin,
  cut,
  isTooLong,
  neededSinceMs,
  nothingSaid,
  PART_MS_MAX,
  pause,
  soundsOf,
  take,
  wholeOf,
} from './utterance.ts';
import type { Words } from './utterance-recognizer.ts';
import { endOfAudio, FRAME_MS, hearFrame, silentFromStart, type VoiceChange } from './voice-changes.ts';
import {
  FRAME_SAMPLES,
  LEAD_MS,
  LEAD_SAMPLES,
  MEMORY_LENGTH,
  type VoiceJob,
  type VoiceProbabilities,
} from './voice-detector.ts';

/** What comes from the client after the start. */
export type ListenMessage =
  | { readonly kind: 'audio'; readonly samples: Int16Array }
  | { readonly kind: 'taken'; readonly untilMs: number };

/** What is sent to it. */
export type ListenEvent =
  | { readonly kind: 'ready' }
  | VoiceChange
  | ({ readonly kind: 'recognized'; readonly startMs: number; readonly endMs: number } & Words);

export interface ListenOptions {
  readonly context: JobContext;
  /** Until the engines are loaded. */
  readonly ready: Promise<void>;
  readonly detect: (job: VoiceJob, context: JobContext) => Promise<VoiceProbabilities>;
  readonly recognize: (samples: Int16Array, context: JobContext) => Promise<Words>;
  /** So many seconds after its pause an utterance was recognised. */
  readonly onRecognized: (secs: number) => void;
}

/** A quarter of a second: streams that are sent faster than they were spoken do not keep others waiting. */
const FRAMES_PER_JOB_MAX = 8;
/** Three for each pause: a client that does not read them has gone. */
const UNREAD_EVENTS_MAX = 1000;

/** Listens to one side of a call. Everything is decided by times in the audio. */
export async function* listenTo(
  messages: AsyncIterable<ListenMessage>,
  options: ListenOptions,
): AsyncGenerator<ListenEvent> {
  const over = new AbortController();
  const context = { ...options.context, signal: AbortSignal.any([options.context.signal, over.signal]) };
  const events = new PassThrough({ objectMode: true });
  // What fails after the reader has gone is of no interest to anybody.
  events.on('error', () => undefined);
  const fail = (error: unknown) => {
    events.destroy(error instanceof Error ? error : new Error(String(error)));
    over.abort();
  };
  const send = (event: ListenEvent) => {
    if (events.readableLength + events.writableLength > UNREAD_EVENTS_MAX) fail(new Error('nobody reads the events'));
    else events.write(event);
  };
  context.signal.addEventListener('abort', () => fail(context.signal.reason), { once: true });
  const stream = hearStream({ ...options, context }, send, fail);

  async function read(): Promise<void> {
    for await (const message of messages) {
      context.signal.throwIfAborted();
      if (message.kind === 'taken') stream.take(message.untilMs);
      else await stream.hear(message.samples);
    }
    await stream.end();
    await options.ready;
    events.end();
  }

  options.ready.then(() => send({ kind: 'ready' }), fail);
  read().catch(fail);
  try {
    yield* events as AsyncIterable<ListenEvent>;
  } finally {
    over.abort();
  }
}

/** The state of one stream. */
function hearStream(
  { context, detect, recognize, onRecognized }: ListenOptions,
  send: (event: ListenEvent) => void,
  fail: (error: unknown) => void,
) {
  const audio = createHeardAudio();
  const recognitions = createRecognitions((sound, cancelled) =>
    recognize(audio.between(sound.startMs, sound.endMs), {
      ...context,
      signal: AbortSignal.any([context.signal, cancelled]),
    }),
  );
  let voice = silentFromStart;
  let memory: Float32Array = new Float32Array(MEMORY_LENGTH);
  let utterance = nothingSaid;
  /** The last recognition whose words are to be sent. */
  let awaited: Promise<void> | undefined;
  const framesMs = () => voice.frames * FRAME_MS;

  async function detectVoice(frames: number): Promise<void> {
    const samples = new Int16Array(LEAD_SAMPLES + frames * FRAME_SAMPLES);
    const heard = audio.between(framesMs() - LEAD_MS, framesMs() + frames * FRAME_MS);
    // Before the start, and after the end, there is silence.
    samples.set(heard, framesMs() === 0 ? LEAD_SAMPLES : 0);
    const detected = await repeatIfLost(() => detect({ samples, memory }, context));
    memory = detected.memory;
    for (const probability of detected.probabilities) {
      const { state, change } = hearFrame(voice, probability);
      voice = state;
      if (change) follow(change);
      if (isTooLong(utterance, framesMs())) cutAtQuietest();
    }
    audio.forgetBefore(neededSinceMs(utterance, framesMs()) - LEAD_MS);
  }

  function follow(change: VoiceChange): void {
    send(change);
    if (change.kind === 'began') utterance = begin(utterance, change.atMs);
    else {
      utterance = pause(utterance, change.atMs);
      sendWords();
    }
  }

  function cutAtQuietest(): void {
    const fromMs = framesMs() - PART_MS_MAX / 3;
    utterance = cut(utterance, fromMs + quietestMs(audio.between(fromMs, framesMs())));
    // Recognised ahead: there may be little time after the pause.
    recognitions.wordsOf(soundsOf(utterance)).catch(() => undefined);
  }

  function sendWords(): void {
    const whole = wholeOf(utterance);
    const pausedAt = performance.now();
    const words = recognitions.wordsOf(soundsOf(utterance));
    const sent: Promise<void> = words.then(
      (parts) => {
        if (awaited !== sent || !whole) return;
        onRecognized((performance.now() - pausedAt) / 1000);
        send({ kind: 'recognized', ...whole, ...joinWords(parts) });
      },
      (error: unknown) => {
        if (awaited === sent) fail(error);
      },
    );
    awaited = sent;
  }

  return {
    async hear(samples: Int16Array): Promise<void> {
      audio.append(samples);
      for (;;) {
        const frames = Math.min(FRAMES_PER_JOB_MAX, Math.floor((audio.endMs - framesMs()) / FRAME_MS));
        if (frames === 0) return;
        await detectVoice(frames);
      }
    },
    take(untilMs: number): void {
      const before = wholeOf(utterance);
      utterance = take(utterance, Math.min(untilMs, audio.endMs));
      if (wholeOf(utterance)?.startMs !== before?.startMs) sendWords();
    },
    /** Resolves when all events are sent. */
    async end(): Promise<void> {
      if (audio.endMs > framesMs()) await detectVoice(1);
      const change = endOfAudio(voice);
      if (change) follow(change);
      await awaited;
    },
  };
}
