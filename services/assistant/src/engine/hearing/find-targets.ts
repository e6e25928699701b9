import { doubleMetaphone } from 'double-metaphone';
import type { Target } from '../engine.ts';
import { plainText, wordCount } from './heard-words.ts';
import { similarity } from './similarity.ts';

/** Somebody whose name is like what was heard. */
export interface HeardTarget {
  readonly target: Target;
  /** 1: exactly so; less: like it. */
  readonly score: number;
  /** Every word of a name was heard, or all of the first or last name of a person. */
  readonly exact: boolean;
}

const TITLES = /\b(?:dr|doctor|doktor|mr|mrs|ms|miss|mister|herr|frau|hr|fru|prof|professor)\b ?/g;
/** "The workshop": a request is heard without its article. */
const ARTICLE = /^(?:the|our|your|der|die|das|den|dem|det|unsere?|jeres) (?=\S)/;
/** Names that are less alike are others. */
const SCORE_MIN = 0.72;
/** A name that is less alike may have been misheard. */
const MISHEARD_SCORE_MIN = 0.5;
/** Names that are this much less alike than the best one are not meant. */
const MARGIN = 0.12;
/** Of a name of several words only one was heard. */
const PART_OF_NAME = 0.94;
/** Words that sound alike, however they are written. */
const SAME_SOUND = 0.92;
/** Codes of sounds are short, and equal for words that are not: "John", "Anna". */
const LETTERS_MIN = 0.35;
const NAME_WORD_LENGTH_MIN = 3;
/** "Beau" for "Bo": many short words sound alike, so that it is asked. */
const SAME_SHORT_SOUND = 0.8;
const WORDS_HEARD_MAX = 8;
/** "Bo" is a name where hardly anything else was said. */
const WORDS_WITH_SHORT_NAME_MAX = 2;

/**
 * Whose name was heard, best first; those who are as likely as the best only. `heard` is the plain part of the sentence in which the
 * name is. Recognition writes names as they sound, so that sounds are compared where letters differ.
 */
export function findTargets(heard: string, targets: readonly Target[]): HeardTarget[] {
  const found = ranked(heard, targets).filter(isLikely);
  const best = found[0];
  if (!best) return [];
  const exact = found.filter((candidate) => candidate.exact && candidate.score > best.score - MARGIN / 2);
  return exact.length > 0 ? exact : found.filter(({ score }) => score > best.score - MARGIN);
}

/** Of a request for somebody whom nothing is like: the one name that may have been misheard, to be asked about. */
export function findMisheard(heard: string, targets: readonly Target[]): HeardTarget[] {
  const [best, second] = ranked(heard, targets);
  return best && best.score >= MISHEARD_SCORE_MIN && best.score - (second?.score ?? 0) >= MARGIN ? [best] : [];
}

/** Whether nothing else is likely to have been said. */
export function isLikely({ score }: HeardTarget): boolean {
  return score >= SCORE_MIN;
}

function ranked(heard: string, targets: readonly Target[]): HeardTarget[] {
  const words = heard
    .replace(ARTICLE, '')
    .replaceAll(TITLES, '')
    .trim()
    .split(' ')
    .filter(Boolean)
    .slice(0, WORDS_HEARD_MAX);
  if (words.length === 0) return [];
  return targets.map((target) => bestName(words, target)).toSorted((a, b) => b.score - a.score);
}

/** Whether the whole name was heard, wherever in the sentence. */
export function mentionsName(plain: string, target: Target): boolean {
  return [target.name, ...target.aliases].some((name) => {
    const words = plainText(name).replaceAll(TITLES, '').trim();
    return words !== '' && ` ${plain} `.includes(` ${words} `);
  });
}

function bestName(heard: readonly string[], target: Target): HeardTarget {
  let best: HeardTarget = { target, score: 0, exact: false };
  for (const name of [target.name, ...target.aliases]) {
    const words = plainText(name).replace(ARTICLE, '').replaceAll(TITLES, '').trim().split(' ').filter(Boolean);
    if (words.length === 0) continue;
    const { score, exact } = likeness(heard, words, target.type === 'employee');
    if (score > best.score) best = { target, score, exact };
  }
  return best;
}

function likeness(heard: readonly string[], name: readonly string[], isPerson: boolean): Omit<HeardTarget, 'target'> {
  const whole = inSequence(heard, name);
  if (whole === 1 || !isPerson || name.length === 1) return { score: whole, exact: whole === 1 };
  // One word may be the first or the last name; with a further word beside it, that would have to be the other.
  const isShortRequest = heard.length <= WORDS_WITH_SHORT_NAME_MAX;
  const parts = [name[0]!, name.at(-1)!].filter((part) => part.length >= NAME_WORD_LENGTH_MIN || isShortRequest);
  const part = Math.max(0, ...parts.map((one) => inSequence(heard, [one])));
  const alone = wordCount(heard.join(' ')) === 1;
  const asPart = part * PART_OF_NAME * (alone || part === 1 ? 1 : PART_OF_NAME);
  return whole >= asPart ? { score: whole, exact: false } : { score: asPart, exact: alone && part === 1 };
}

/** How much the best sequence of heard words is like the words of a name; two words may have been heard as one, and one as two. */
function inSequence(heard: readonly string[], name: readonly string[]): number {
  let best = 0;
  for (let length = Math.max(1, name.length - 1); length <= name.length + 1; length += 1)
    for (let from = 0; from + length <= heard.length; from += 1) {
      const words = heard.slice(from, from + length);
      const score =
        length === name.length
          ? words.reduce((sum, word, index) => sum + soundsLike(word, name[index]!) * name[index]!.length, 0) /
            name.join('').length
          : soundsLike(words.join(''), name.join('')) * SAME_SOUND;
      best = Math.max(best, score);
    }
  return best;
}

/** 1 for the same letters, less for the same sound, and less again for others. */
function soundsLike(a: string, b: string): number {
  if (a === b) return 1;
  const [codes, otherCodes] = [doubleMetaphone(a), doubleMetaphone(b)];
  if (a.length < NAME_WORD_LENGTH_MIN || b.length < NAME_WORD_LENGTH_MIN)
    return a[0] === b[0] && codes[0] === otherCodes[0] ? SAME_SHORT_SOUND : 0;
  const letters = similarity(a, b);
  const sound = Math.max(...codes.flatMap((code) => otherCodes.map((other) => similarity(code, other))));
  if (sound === 1 && letters >= LETTERS_MIN) return Math.max(SAME_SOUND, letters);
  return Math.min(SAME_SOUND, 0.5 * letters + 0.5 * sound);
}
