import { segments } from '../synthesis/sentences.ts';

/** Sentences as weights of their words: for languages that the embedding model does not know. */
export function tfIdf(sentences: readonly string[], language: string): Float32Array[] {
  const words = sentences.map((sentence) =>
    segments(sentence.toLowerCase(), language, 'word').filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );
  const places = new Map<string, number>();
  const occurrences: number[] = [];
  for (const sentence of words) {
    for (const word of new Set(sentence)) {
      const place = places.get(word) ?? places.size;
      places.set(word, place);
      occurrences[place] = (occurrences[place] ?? 0) + 1;
    }
  }
  return words.map((sentence) => {
    const vector = new Float32Array(places.size);
    for (const word of sentence) {
      const place = places.get(word)!;
      vector[place]! += Math.log((sentences.length + 1) / occurrences[place]!);
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((weight) => weight / length);
  });
}
