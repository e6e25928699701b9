import type { Logger } from '@parley/telemetry';
import { joinSpeech, SPEECH_RATE, TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { Calculation } from '../workers/calculation.ts';
import { type JobContext, PRIORITY } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { EspeakJob, EspeakSpeech } from './espeak-process.ts';
import type { speechOfSamples } from './speech-of-samples.ts';
import { type SpeechPart, type Synthesizer, withPause, type Utterance } from './synthesizer.ts';
import type { VitsJob } from './vits-job.ts';
import { splitForPlaying, splitForSpeech } from './split-for-speech.ts';

interface LocalSynthesizerOptions {
  /** A neural voice for each of these languages. */
  readonly vits: Readonly<Record<string, WorkerPool<VitsJob, Int16Array>>>;
  readonly espeak: WorkerPool<EspeakJob, EspeakSpeech>;
  readonly speechOfSamples: Calculation<typeof speechOfSamples>;
  readonly log: Pick<Logger, 'warn'>;
}

/** One voice, which synthesizes piece after piece. */
interface Voice {
  readonly engine: string;
  readonly language: string;
  speak(text: string, wantedRate: number, context: JobContext): Promise<Int16Array>;
  /** Whether it can speak at once; if not, it begins to load. */
  isReady(): boolean;
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
        speak: (text, wantedRate, context) => pool.run({ text, wantedRate }, PIECE_LIMIT_MS, context),
        isReady: () => pool.startLoading(),
      }
    );
  }

  function espeakVoiceFor(language: string): Voice | undefined {
    const voice = espeakVoice(language);
    if (voice === undefined) return undefined;
    return {
      engine: 'espeak-ng',
      language,
      async speak(text, wantedRate, context) {
        const { samples, rate } = await espeak.run({ voice, text }, PIECE_LIMIT_MS, context);
        return options.speechOfSamples({ samples, rate, wantedRate }, context);
      },
      // It loads as fast as others speak.
      isReady: () => true,
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
    for (const piece of splitForSpeech(text, voice.language))
      pieces.push(await voice.speak(piece, SPEECH_RATE, context));
    return joinSpeech(pieces, PAUSE_MS);
  }

  const instead = (error: unknown, voice: Voice, second: Voice | undefined, { signal }: JobContext): Voice => {
    if (signal.aborted || !second) throw error;
    log.warn({ err: error, engine: voice.engine, instead: second.engine }, 'a voice failed; another one is used');
    return second;
  };

  return {
    async synthesize(utterance, context) {
      const [voice, second] = voicesFor(utterance);
      try {
        return { samples: await speak(voice!, utterance.text, context), engine: voice!.engine };
      } catch (error) {
        const other = instead(error, voice!, second, context);
        return { samples: await speak(other, utterance.text, context), engine: other.engine };
      }
    },
    async *synthesizeParts(utterance, context): AsyncGenerator<SpeechPart> {
      const [wanted, other] = voicesFor(utterance);
      let [voice, second] = [wanted, other];
      // A caller would hear nothing for seconds.
      if (context.priority === PRIORITY.call && other && !wanted!.isReady()) [voice, second] = [other, wanted];
      const pieces = splitForPlaying(utterance.text, voice!.language);
      for (const [index, text] of pieces.entries()) {
        const speakPiece = () => voice!.speak(text, TELEPHONE_RATE, context);
        const spoken = await speakPiece().catch((error: unknown) => {
          [voice, second] = [instead(error, voice!, second, context), undefined];
          return speakPiece();
        });
        const isLast = index === pieces.length - 1;
        const samples = isLast ? spoken : withPause(spoken, text);
        yield { text, samples, engine: voice!.engine, isLast, standsIn: voice !== wanted };
      }
      if (pieces.length === 0)
        yield { text: '', samples: new Int16Array(), engine: voice!.engine, isLast: true, standsIn: false };
    },
    async keepLoaded(languages) {
      const best = [...languages].map((language) => voicesFor({ text: '', language, voice: '' })[0]!.engine);
      const keep = (engine: string) => Number(best.includes(engine));
      await Promise.all([
        espeak.keepLoaded(keep('espeak-ng')),
        ...Object.entries(vits).map(([language, pool]) => pool.keepLoaded(keep(`dittli-${language}`))),
      ]);
    },
  };
}

/** The languages espeak-ng has a voice for; invented ones are left out. */
const VOICES = new Set(
  (
    'af am an ar as az ba be bg bn bpy bs ca ca-ba ca-nw ca-va cmn cs cv cy da de el en en-029 en-gb-scotland ' +
    'en-us en-us-nyc eo es es-419 et eu fa fi fo fr fr-be fr-ch ga gd gn grc gu hak haw he hi hr ht hu hy hyw ia id ' +
    'io is it ja ka kaa kk kl kn ko kok ku ky la lb lt ltg lv mi mk ml mr ms mt my nb nci ne nl nog om or pa pap pl pt ' +
    'pt-br quc ro ru ru-lv sd shn si sk sl smj sq sr sv sw ta te th ti tk tn tr tt ug uk ur uz vi vi-vn-x-central ' +
    'vi-vn-x-south yue'
  ).split(' '),
);

/** Aliases: macro languages, old codes, and languages that share a voice. */
const ALIASES: Readonly<Record<string, string>> = {
  'en-gb': 'en',
  'es-mx': 'es-419',
  'fr-fr': 'fr',
  hbs: 'hr',
  in: 'id',
  iw: 'he',
  nn: 'nb',
  no: 'nb',
  'pt-pt': 'pt',
  sh: 'hr',
  zh: 'cmn',
  'zh-hk': 'yue',
  'zh-yue': 'yue',
};

/** The voice for a language code, by its longest supported prefix: `fr` for `fr-CA`. Undefined when there is none. */
export function espeakVoice(language: string): string | undefined {
  const parts = language.toLowerCase().replaceAll('_', '-').split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const code = parts.slice(0, length).join('-');
    const voice = ALIASES[code] ?? code;
    if (VOICES.has(voice)) return voice;
  }
  return undefined;
}
