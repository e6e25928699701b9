import type { Logger } from '@parley/telemetry';
import { joinSpeech } from '../audio/speech-samples.ts';
import type { Calculator } from '../calculations/calculator.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { EspeakJob, EspeakSpeech } from './espeak-process.ts';
import { espeakVoice } from './espeak-voices.ts';
import { splitForSpeech } from './sentences.ts';
import type { Synthesizer, Utterance } from './synthesizer.ts';

export interface LocalSynthesizerOptions {
  /** A neural voice for each of these languages. */
  readonly vits: Readonly<Record<string, WorkerPool<string, Int16Array>>>;
  readonly espeak: WorkerPool<EspeakJob, EspeakSpeech>;
  readonly calculate: Calculator;
  readonly log: Pick<Logger, 'warn'>;
}

/** One voice that speaks piece after piece. */
interface Voice {
  readonly engine: string;
  readonly language: string;
  speak(text: string, signal: AbortSignal): Promise<Int16Array>;
}

const FALLBACK_LANGUAGE = 'en';
const PAUSE_MS = 220;
/** A piece takes a second at most; this is for a machine in distress, and for the model to load. */
const PIECE_LIMIT_MS = 30_000;

/** English and German by neural voices, everything else by espeak-ng, and what nobody speaks in English. */
export function localSynthesizer({ vits, espeak, calculate, log }: LocalSynthesizerOptions): Synthesizer {
  function vitsVoice(language: string): Voice | undefined {
    const pool = vits[language];
    return (
      pool && {
        engine: `dittli-${language}`,
        language,
        speak: (text, signal) => pool.run(text, PIECE_LIMIT_MS, signal),
      }
    );
  }

  function espeakVoiceFor(language: string): Voice | undefined {
    const voice = espeakVoice(language);
    if (voice === undefined) return undefined;
    return {
      engine: 'espeak-ng',
      language,
      async speak(text, signal) {
        const { samples, rate } = await espeak.run({ voice, text }, PIECE_LIMIT_MS, signal);
        return calculate('speechOfSamples', { samples, rate }, signal);
      },
    };
  }

  /** The voices that can speak an utterance, best first. A voice that is asked for by its engine's name comes first. */
  function voicesFor({ language, voice }: Utterance): Voice[] {
    const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
    const own = [vitsVoice(base), espeakVoiceFor(language)].filter((found) => found !== undefined);
    const spoken = own.length > 0 ? own : [vitsVoice(FALLBACK_LANGUAGE), espeakVoiceFor(FALLBACK_LANGUAGE)];
    return spoken
      .filter((found) => found !== undefined)
      .toSorted((a, b) => Number(b.engine === voice) - Number(a.engine === voice));
  }

  async function speak(voice: Voice, text: string, signal: AbortSignal): Promise<Int16Array> {
    const pieces: Int16Array[] = [];
    for (const piece of splitForSpeech(text, voice.language)) pieces.push(await voice.speak(piece, signal));
    return joinSpeech(pieces, PAUSE_MS);
  }

  return {
    async synthesize(utterance, signal) {
      const [voice, second] = voicesFor(utterance);
      try {
        return { samples: await speak(voice!, utterance.text, signal), engine: voice!.engine };
      } catch (error) {
        if (signal.aborted || !second) throw error;
        log.warn({ err: error, engine: voice!.engine, instead: second.engine }, 'a voice failed; another one speaks');
        return { samples: await speak(second, utterance.text, signal), engine: second.engine };
      }
    },
  };
}
