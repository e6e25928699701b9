import type { Logger, Telemetry } from '@parley/telemetry';
import type { Synthesizer } from '../synthesis/synthesizer.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { repeatIfLost } from '../workers/worker.ts';
import { type ListenEvent, type ListenMessage, listenTo } from './listening-stream.ts';
import { pace } from './pace.ts';
import type { UtteranceRecognizer } from './utterance-recognizer.ts';
import type { VoiceJob, VoiceProbabilities } from './voice-detector.ts';

/** Listens to calls while they go on. */
export interface Listener {
  /** Whether the language is recognised soon enough for a conversation. */
  knows(language: string): boolean;
  /** Callers in these languages may come: engines are loaded, and kept for a while without a stream as well. */
  expectCallers(languages: readonly string[]): void;
  /** `simulateFault` comes before each recognition. */
  listen(
    messages: AsyncIterable<ListenMessage>,
    language: string,
    context: JobContext,
    simulateFault: () => Promise<void>,
  ): AsyncGenerator<ListenEvent>;
}

export interface ListenerOptions {
  readonly voiceDetectors: WorkerPool<VoiceJob, VoiceProbabilities>;
  readonly recognizer: UtteranceRecognizer;
  /** Who is listened to is spoken to as well. */
  readonly synthesizer: Synthesizer;
  readonly telemetry: { readonly log: Pick<Logger, 'warn'>; readonly meter: Telemetry['meter'] };
}

export function createListener({ voiceDetectors, recognizer, synthesizer, telemetry }: ListenerOptions): Listener {
  const { log, meter } = telemetry;
  const open = new Set<{ readonly companyId: string; readonly language: string }>();
  let expected: readonly string[] = [];
  let expectedUntil: NodeJS.Timeout | undefined;
  let loadAgainAt = 0;
  const delay = meter.createHistogram('parley_speech_recognition_delay_seconds', { unit: 's' });
  meter.createObservableGauge('parley_speech_streams').addCallback((result) => result.observe(open.size));

  /** Loads what the open streams and the next caller need; what neither needs is unloaded after a while. */
  async function prepare(): Promise<void> {
    const languages = new Set([...[...open].map(({ language }) => language), ...expected]);
    const voices = synthesizer.keepLoaded(languages);
    voices.catch((error: unknown) => log.warn({ err: error }, 'a voice could not be loaded ahead'));
    const streams = new Map<string, number>();
    for (const { companyId } of open) streams.set(companyId, (streams.get(companyId) ?? 0) + 1);
    // The first caller, of whatever company.
    if (streams.size === 0 && expected.length > 0) streams.set('', 1);
    await Promise.all([voiceDetectors.keepLoaded(languages.size > 0 ? 1 : 0), recognizer.keepLoadedFor(streams)]);
  }

  const prepareLater = () =>
    void prepare().catch((error: unknown) => log.warn({ err: error }, 'engines for calls could not be loaded'));

  return {
    knows: (language) => recognizer.knows(language),
    expectCallers(languages) {
      const known = languages.filter((language) => recognizer.knows(language));
      const isChanged = known.length !== expected.length || known.some((language) => !expected.includes(language));
      expected = known;
      clearTimeout(expectedUntil);
      expectedUntil = setTimeout(() => {
        expected = [];
        prepareLater();
      }, EXPECTED_MS).unref();
      if (!isChanged && performance.now() < loadAgainAt) return;
      loadAgainAt = performance.now() + LOAD_AGAIN_MS;
      prepareLater();
    },
    async *listen(messages, language, context, simulateFault) {
      const stream = { companyId: context.companyId, language };
      open.add(stream);
      try {
        yield* listenTo(pace(messages, context.signal), {
          context,
          ready: repeatIfLost(prepare),
          detect: (job, within) => voiceDetectors.run(job, DETECTION_LIMIT_MS, within),
          recognize: async (samples, within) => {
            const [words] = await Promise.all([recognizer.recognize(samples, language, within), simulateFault()]);
            return words;
          },
          onRecognized: (secs) => delay.record(secs),
        });
      } finally {
        open.delete(stream);
        prepareLater();
      }
    },
  };
}

/** Whoever expects callers says so several times within it: a message may be lost, or go to another process. */
const EXPECTED_MS = 60_000;
/** Engines that could not be loaded, because their files are missing for example. */
const LOAD_AGAIN_MS = 30_000;
/** A few frames take milliseconds; the rest is for a busy machine, and for the model to load. */
const DETECTION_LIMIT_MS = 90_000;
