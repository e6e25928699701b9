import { contentWords } from './content-words.ts';
import type { KnowledgeIndex, Subject } from './knowledge-index.ts';

export interface RankedSubject {
  readonly subject: Subject;
  /** 0 to 1. */
  readonly score: number;
  readonly cosine: number;
  readonly words: number;
  readonly coverage: number;
}

/** How much meaning counts, and how much words. */
const MEANING = 0.6;
const WORDS = 0.25;
const COVERAGE = 0.25;
/** Without vectors words have to do. */
const WORDS_ALONE = 0.6;
const COVERAGE_ALONE = 0.4;

/** What was asked for, best first. `vector`: of the whole text; null where nothing was embedded. `isUsable` leaves out entries. */
export function rankSubjects(
  index: KnowledgeIndex,
  text: string,
  vector: Float32Array | null,
  isUsable: (subject: Subject) => boolean,
): RankedSubject[] {
  const asked = contentWords(text, index.language);
  const unknownWeight = Math.log(1 + index.subjects.length);
  const weightOf = (word: string) => index.wordWeights.get(word) ?? unknownWeight;
  const askedWeight = asked.reduce((sum, word) => sum + weightOf(word), 0);
  const usesVectors = vector !== null && vector.length === index.dimensions;
  const best = index.subjects.map(() => ({ cosine: 0, words: 0 }));
  for (const { subject, words, weight, vectorAt } of index.phrases) {
    const found = best[subject]!;
    if (usesVectors && vectorAt !== undefined)
      found.cosine = Math.max(found.cosine, weight * dotProduct(vector, index.vectors, vectorAt));
    found.words = Math.max(found.words, weight * likeness(asked, askedWeight, words, weightOf));
  }
  const ranked = index.subjects.map((subject, at): RankedSubject => {
    const { cosine, words } = best[at]!;
    const coverage = askedWeight === 0 ? 0 : weightOfShared(asked, index.words[at]!, weightOf) / askedWeight;
    const score = usesVectors
      ? MEANING * cosine + WORDS * words + COVERAGE * coverage
      : WORDS_ALONE * words + COVERAGE_ALONE * coverage;
    return { subject, score: Math.min(score, 1), cosine, words, coverage };
  });
  return ranked.filter(({ subject }) => isUsable(subject)).toSorted((a, b) => b.score - a.score);
}

/** The weight of shared words among those of both (a weighted Dice coefficient). */
function likeness(
  asked: readonly string[],
  askedWeight: number,
  words: readonly string[],
  weightOf: (word: string) => number,
): number {
  if (askedWeight === 0 || words.length === 0) return 0;
  let shared = 0;
  let all = 0;
  for (const word of words) {
    const weight = weightOf(word);
    all += weight;
    if (asked.includes(word)) shared += weight;
  }
  return (2 * shared) / (askedWeight + all);
}

function weightOfShared(
  asked: readonly string[],
  words: ReadonlySet<string>,
  weightOf: (word: string) => number,
): number {
  return asked.reduce((sum, word) => (words.has(word) ? sum + weightOf(word) : sum), 0);
}

/** Vectors have length one, so that this is their cosine. Four sums, because one would wait for each addition. */
function dotProduct(vector: Float32Array, vectors: Float32Array, from: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
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
