import type { Logger } from '@parley/telemetry';
import { joinSpeech } from '../audio/speech-samples.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { EspeakJob, EspeakSpeech } from './espeak-process.ts';
import type { speechOfSamples } from './speech-of-samples.ts';
import type { Synthesizer, Utterance } from './synthesizer.ts';
import { segments } from '../text/segments.ts';

interface LocalSynthesizerOptions {
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

/** About fifteen seconds of speech: an engine's job stays short, so that other jobs do not wait long. */
const PIECE_LENGTH_MAX = 240;

/** Splits a text after sentences, in long ones after commas, in very long ones between words. */
export function splitForSpeech(text: string, language: string, lengthMax = PIECE_LENGTH_MAX): readonly string[] {
  const sentences = text.split(/\n+/).flatMap((line) => segments(line, language, 'sentence'));
  return sentences
    .flatMap((sentence) => pack(sentence.split(/(?<=[,;:–—])\s+/), lengthMax))
    .flatMap((clause) => (clause.length <= lengthMax ? [clause] : pack(clause.split(/\s+/), lengthMax)))
    .flatMap((words) => words.match(new RegExp(`.{1,${lengthMax}}`, 'gsu')) ?? [])
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** Joins adjacent parts as long as they fit. */
function pack(pieces: readonly string[], lengthMax: number): string[] {
  const packed: string[] = [];
  for (const piece of pieces) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= lengthMax)
      packed[packed.length - 1] = `${last} ${piece}`;
    else packed.push(piece);
  }
  return packed;
}
