import { SPEECH_RATE } from '../audio/speech-samples.ts';
import type { Recognized } from '../recognition/moonshine.ts';
import type { SpeakerTurn } from './speaker-turns.ts';

/** A turn with what Moonshine, which knows only English, recognised in it. */
export interface RecognizedTurn extends Recognized {
  readonly turn: SpeakerTurn;
}

export interface ChosenRecognizers {
  /** Moonshine's words stand. */
  readonly settled: readonly RecognizedTurn[];
  /** For whisper, by language; empty where it has to find out. */
  readonly doubtful: ReadonlyMap<string, readonly SpeakerTurn[]>;
}

/**
 * Chosen by synthetic voices, and by one person's: English of the neural voice is mostly above it, and sentences of ten other languages are
 * below. Single words of another language can be above it.
 */
const SURE = -0.45;
/** Less than a second is a word or a noise: not worth the seconds that whisper takes for any length. */
const BRIEF_SAMPLES = SPEECH_RATE;

export const isEnglish = (language: string) => /^en(?![a-z])/i.test(language);

/**
 * Which turns whisper has to recognise. A speaker whose turns are doubtful on the whole speaks another language, unless the language
 * is known to be English. `withWhisper`: false where there is none, so that all of an English speaker's turns stand.
 */
export function chooseRecognizers(
  recognized: readonly RecognizedTurn[],
  language: string,
  withWhisper: boolean,
): ChosenRecognizers {
  const settled: RecognizedTurn[] = [];
  const rest: (readonly [language: string, turn: SpeakerTurn])[] = [];
  for (const turns of Map.groupBy(recognized, ({ turn }) => turn.channel).values()) {
    const speaksEnglish = isEnglish(language) || meanConfidence(turns) >= SURE;
    for (const one of turns) {
      const { turn, confidence } = one;
      const stands = confidence >= SURE || turn.samples.length < BRIEF_SAMPLES || !withWhisper;
      if (speaksEnglish && stands) settled.push(one);
      else rest.push([speaksEnglish ? 'en' : '', turn]);
    }
  }
  const byLanguage = Map.groupBy(rest, ([spoken]) => spoken);
  return {
    settled,
    doubtful: new Map([...byLanguage].map(([spoken, turns]) => [spoken, turns.map(([, turn]) => turn)])),
  };
}

/** Long turns say more about the language than short ones. */
function meanConfidence(turns: readonly RecognizedTurn[]): number {
  const samples = turns.reduce((sum, { turn }) => sum + turn.samples.length, 0);
  return turns.reduce((sum, { turn, confidence }) => sum + confidence * turn.samples.length, 0) / samples;
}

const LANGUAGES = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk ' +
    'te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ' +
    'ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
);

const ALIASES: Readonly<Record<string, string>> = { nb: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh', jv: 'jw' };

/** The recogniser's name for a language code; it finds out by itself what it has no name for. */
export function whisperLanguage(language: string): string {
  const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
  const code = ALIASES[base] ?? base;
  return LANGUAGES.has(code) ? code : 'auto';
}
