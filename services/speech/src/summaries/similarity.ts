import { segments } from '../text/segments.ts';

/** The similarity of each pair of sentences, from 0 to 1. */
export type SimilarityMatrix = readonly Float32Array[];

export function vectorSimilarity(vectors: readonly Float32Array[]): SimilarityMatrix {
  const likeness = square(vectors.length);
  vectors.forEach((a, i) => {
    for (let j = 0; j <= i; j += 1) likeness[i]![j] = likeness[j]![i] = Math.max(0, dot(a, vectors[j]!));
  });
  return likeness;
}

/** Compares words weighted by tf-idf, for languages that the embedding model does not support. */
export function wordSimilarity(sentences: readonly string[], language: string): SimilarityMatrix {
  const counts = sentences.map((sentence) => wordCounts(sentence, language));
  const places = new Map<string, number[]>();
  counts.forEach((words, i) => {
    for (const word of words.keys()) {
      const holders = places.get(word);
      if (holders) holders.push(i);
      else places.set(word, [i]);
    }
  });
  const rarity = (word: string) => Math.log((sentences.length + 1) / places.get(word)!.length);
  const weights = counts.map((words) => {
    const weighed = [...words].map(([word, count]) => [word, count * rarity(word)] as const);
    const length = Math.sqrt(weighed.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
    return new Map(weighed.map(([word, weight]) => [word, weight / length]));
  });
  const likeness = square(sentences.length);
  // Word by word: two sentences have few words in common, out of thousands.
  for (const [word, holders] of places) {
    const shares = holders.map((i) => weights[i]!.get(word)!);
    holders.forEach((i, a) => holders.forEach((j, b) => (likeness[i]![j]! += shares[a]! * shares[b]!)));
  }
  return likeness;
}

function wordCounts(sentence: string, language: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of segments(sentence.toLowerCase(), language, 'word')) {
    if (/[\p{L}\p{N}]/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function square(size: number): Float32Array[] {
  return Array.from({ length: size }, () => new Float32Array(size));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}
