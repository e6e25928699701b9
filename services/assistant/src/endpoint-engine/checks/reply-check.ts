import type { Source } from '../../engine/engine.ts';
import { claimsDeed } from './deeds.ts';
import { figuresAreAmong, isAmong } from './figure-check.ts';
import { readFigures } from './figures.ts';
import { type HiddenTexts, hiddenTexts, leaks } from './leaks.ts';
import { knownPlaces, placesAreKnown, plainWords } from './places.ts';
import { asksForSecret } from './secret-requests.ts';

/** A text that a reply may take figures from. */
export interface SourceText {
  /** Null for the caller's own words, and for results of tools. */
  readonly source: Source | null;
  readonly text: string;
}

/** Why a sentence of a model is not spoken. */
export type Objection = 'unknown_figure' | 'hidden_text' | 'asks_for_secret' | 'claims_deed';

export interface ReplyCheck {
  /** Null when the sentence may be spoken. */
  objectionTo(sentence: string): Objection | null;
  /** What a sentence was taken from. */
  sourcesOf(sentence: string): readonly Source[];
}

export interface ReplyCheckInput {
  readonly language: string;
  readonly sources: readonly SourceText[];
  /** Instructions of the company and of the product. */
  readonly hidden: readonly string[];
  readonly ids: readonly string[];
}

/** Words of a sentence that are in a source, by the share of them, at which it was taken from there. */
const COMMON_SHARE = 0.6;
const COMMON_WORDS_MIN = 2;
const CONTENT_WORD_LENGTH_MIN = 4;
const MODEL: Source = { type: 'model', id: null };

/** Checks sentences of one reply, before they are spoken, against what the model was told and the caller said. */
export function replyCheck({ language, sources, hidden, ids }: ReplyCheckInput): ReplyCheck {
  const texts = sources.map(({ text }) => text);
  const known = sources.map((each) => ({
    source: each.source,
    figures: readFigures(each.text, language),
    words: new Set(contentWords(each.text)),
  }));
  const figures = known.flatMap((each) => each.figures);
  const places = knownPlaces(texts);
  const hiddenRows: HiddenTexts = hiddenTexts(hidden, texts);

  return {
    objectionTo(sentence) {
      if (leaks(sentence, hiddenRows, ids)) return 'hidden_text';
      if (asksForSecret(sentence)) return 'asks_for_secret';
      if (!figuresAreAmong(sentence, figures, language) || !placesAreKnown(sentence, places, language))
        return 'unknown_figure';
      const isQuoted = places.words.includes(` ${plainWords(sentence)} `);
      return !isQuoted && claimsDeed(sentence, language) ? 'claims_deed' : null;
    },
    sourcesOf(sentence) {
      const said = readFigures(sentence, language);
      const words = contentWords(sentence);
      const taken = known.flatMap(({ source, figures: own, words: ownWords }) => {
        if (!source) return [];
        const common = words.filter((word) => ownWords.has(word)).length;
        const isSimilar = common >= COMMON_WORDS_MIN && common >= words.length * COMMON_SHARE;
        return isSimilar || (common > 0 && said.some((figure) => isAmong(figure, own))) ? [source] : [];
      });
      return [...unique(taken), MODEL];
    },
  };
}

function contentWords(text: string): string[] {
  return [...new Set(plainWords(text).split(' '))].filter((word) => word.length >= CONTENT_WORD_LENGTH_MIN);
}

function unique(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((source) => [`${source.type} ${source.id}`, source])).values()];
}
