import { similarity } from '../hearing/similarity.ts';
import { contentWords } from './content-words.ts';
import type { KnowledgeIndex, Subject } from './knowledge-index.ts';

export interface RankedSubject {
  readonly subject: Subject;
  /** 0 to 1. */
  readonly score: number;
}

/** How much meaning counts, and how much words. */
const MEANING = 0.6;
const WORDS = 0.25;
const COVERAGE = 0.25;
/** Words may have nothing in common where the meaning is the same. */
const MEANING_ALONE = 0.95;
/** Without vectors words have to do. */
const WORDS_ALONE = 0.6;
const COVERAGE_ALONE = 0.4;
/** How much a word counts that differs in one letter from one of an entry, and from how many letters on. */
const MISHEARD = 0.7;
const MISHEARD_LENGTH_MIN = 4;

/** What was asked for, best first. `vector`: of the whole text; null where nothing was embedded. `isUsable` leaves out entries. */
export function rankSubjects(
  index: KnowledgeIndex,
  text: string,
  vector: Float32Array | null,
  isUsable: (subject: Subject) => boolean,
): RankedSubject[] {
  const asked = askedWords(index, text);
  const usesVectors = vector !== null && vector.length === index.dimensions;
  const cosines = new Float64Array(index.subjects.length);
  const likenesses = new Float64Array(index.subjects.length);
  for (const { subject, words, wordsWeight, weight, vectorAt } of index.phrases) {
    if (usesVectors && vectorAt !== undefined)
      cosines[subject] = Math.max(cosines[subject]!, weight * dotProduct(vector, index.vectors, vectorAt));
    const shared = words.reduce((sum, id) => sum + asked.weights[id]!, 0);
    // A weighted Dice coefficient.
    if (shared > 0)
      likenesses[subject] = Math.max(likenesses[subject]!, (weight * 2 * shared) / (asked.total + wordsWeight));
  }
  const ranked = index.subjects.flatMap((subject, at): RankedSubject[] => {
    if (!isUsable(subject)) return [];
    const coverage = asked.total === 0 ? 0 : coveredBy(asked, index.words[at]!) / asked.total;
    const score = usesVectors
      ? Math.max(MEANING_ALONE * cosines[at]!, MEANING * cosines[at]! + WORDS * likenesses[at]! + COVERAGE * coverage)
      : WORDS_ALONE * likenesses[at]! + COVERAGE_ALONE * coverage;
    return [{ subject, score: Math.min(score, 1) }];
  });
  return ranked.toSorted((a, b) => b.score - a.score);
}

interface AskedWords {
  readonly ids: readonly number[];
  /** By id: of a word that was asked for its weight, of all others 0. */
  readonly weights: Float64Array;
  /** Of all words that were asked for, also those that are in no entry. */
  readonly total: number;
}

function askedWords(index: KnowledgeIndex, text: string): AskedWords {
  const unknownWeight = Math.log(1 + index.subjects.length);
  const weights = new Float64Array(index.wordWeights.length);
  const ids: number[] = [];
  let total = 0;
  for (const word of contentWords(text, index.language)) {
    const known = index.wordIds.get(word);
    const id = known ?? misheardWord(index, word);
    if (id !== undefined) {
      ids.push(id);
      weights[id] = index.wordWeights[id]! * (known === undefined ? MISHEARD : 1);
    }
    total += known === undefined ? unknownWeight : index.wordWeights[known]!;
  }
  return { ids, weights, total };
}

/** The word of an entry that was probably said: "part" for "park". */
function misheardWord({ wordIds }: KnowledgeIndex, word: string): number | undefined {
  if (word.length < MISHEARD_LENGTH_MIN) return undefined;
  for (const [known, id] of wordIds) {
    const isSimilar = known[0] === word[0] && Math.abs(known.length - word.length) <= 1;
    if (isSimilar && similarity(known, word) >= 1 - 1 / Math.max(known.length, word.length)) return id;
  }
  return undefined;
}

function coveredBy({ ids, weights }: AskedWords, words: ReadonlySet<number>): number {
  return ids.reduce((sum, id) => (words.has(id) ? sum + weights[id]! : sum), 0);
}

/** Vectors have length one, so that this is their cosine. Four sums, because one would wait for each addition. */
function dotProduct(vector: Float32Array, vectors: Float32Array, from: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const length = vector.length - (vector.length % 4);
  for (let i = 0; i < length; i += 4) {
    a += vector[i]! * vectors[from + i]!;
    b += vector[i + 1]! * vectors[from + i + 1]!;
    c += vector[i + 2]! * vectors[from + i + 2]!;
    d += vector[i + 3]! * vectors[from + i + 3]!;
  }
  for (let i = length; i < vector.length; i += 1) a += vector[i]! * vectors[from + i]!;
  return a + b + c + d;
}
