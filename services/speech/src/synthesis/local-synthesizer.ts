import type { Logger } from '@parley/telemetry';
import { joinSpeech } from '../audio/speech-samples.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { JobContext } from '../workers/job-context.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { EspeakJob, EspeakSpeech } from './espeak-process.ts';
import { espeakVoice } from './espeak-voices.ts';
import type { speechOfSamples } from './speech-of-samples.ts';
import { splitForSpeech } from './split-for-speech.ts';
import type { Synthesizer, Utterance } from './synthesizer.ts';

export interface LocalSynthesizerOptions {
  /** A neural voice for each of these languages. */
  readonly vits: Readonly<Record<string, WorkerPool<string, Int16Array>>>;
  readonly espeak: WorkerPool<EspeakJob, EspeakSpeech>;
  readonly speechOfSamples: Calculation<typeof speechOfSamples>;
  readonly log: Pick<Logger, 'warn'>;
}

/** One voice, which synthesizes piece after piece. */
interface Voice {
  readonly engine: string;
  readonly language: string;
  speak(text: string, context: JobContext): Promise<Int16Array>;
}

const FALLBACK_LANGUAGE = 'en';
const PAUSE_MS = 220;
/** A piece takes a second at most; the rest is for a busy machine, and for the model to load. */
const PIECE_LIMIT_MS = 180_000;

/** English and German by neural voices, other languages by espeak-ng, unknown languages in English. */
export function localSynthesizer(options: LocalSynthesizerOptions): Synthesizer {
  const { vits, espeak, log } = options;
  function vitsVoice(language: string): Voice | undefined {
    const pool = vits[language];
    return (
      pool && {
        engine: `dittli-${language}`,
        language,
        speak: (text, context) => pool.run(text, PIECE_LIMIT_MS, context),
      }
    );
  }

  function espeakVoiceFor(language: string): Voice | undefined {
    const voice = espeakVoice(language);
    if (voice === undefined) return undefined;
    return {
      engine: 'espeak-ng',
      language,
      async speak(text, context) {
        const { samples, rate } = await espeak.run({ voice, text }, PIECE_LIMIT_MS, context);
        return options.speechOfSamples({ samples, rate }, context);
      },
    };
  }

  /** The voices that can synthesize an utterance, best first. A voice that is requested by its engine's name comes first. */
  function voicesFor({ language, voice }: Utterance): Voice[] {
    const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
    const own = [vitsVoice(base), espeakVoiceFor(language)].filter((found) => found !== undefined);
    const spoken = own.length > 0 ? own : [vitsVoice(FALLBACK_LANGUAGE), espeakVoiceFor(FALLBACK_LANGUAGE)];
    return spoken
      .filter((found) => found !== undefined)
      .toSorted((a, b) => Number(b.engine === voice) - Number(a.engine === voice));
  }

  async function speak(voice: Voice, text: string, context: JobContext): Promise<Int16Array> {
    const pieces: Int16Array[] = [];
    for (const piece of splitForSpeech(text, voice.language)) pieces.push(await voice.speak(piece, context));
    return joinSpeech(pieces, PAUSE_MS);
  }

  return {
    async synthesize(utterance, context) {
      const [voice, second] = voicesFor(utterance);
      try {
        return { samples: await speak(voice!, utterance.text, context), engine: voice!.engine };
      } catch (error) {
        if (context.signal.aborted || !second) throw error;
        log.warn({ err: error, engine: voice!.engine, instead: second.engine }, 'a voice failed; another one is used');
        return { samples: await speak(second, utterance.text, context), engine: second.engine };
      }
    },
  };
}
