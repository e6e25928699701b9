/** Longer words are indexed by their prefix. */
const WORD_LENGTH_MAX = 32;
const WORDS_MAX = 3000;
/** Very short texts are similar to any short query. */
const CHUNK_LENGTH_MIN = 30;
const CHUNK_LENGTH_MAX = 400;
const CHUNKS_USUAL = 12;
const CHUNKS_MAX = 40;

/** The words of a text as they are found: lower case, without accents, each once. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, WORD_LENGTH_MAX)))].slice(0, WORDS_MAX);
}

/**
 * A text in pieces that each have one meaning for the embedding model, cut between sentences. Short ones are recognised
 * best, so a short text is split finely; a long one is not, to limit the size of the index.
 */
export function chunksOf(text: string): string[] {
  const length = Math.min(Math.max(text.length / CHUNKS_USUAL, CHUNK_LENGTH_MIN), CHUNK_LENGTH_MAX);
  const chunks: string[] = [];
  for (const sentence of text.split(/(?<=[.!?\n])\s+/).filter((part) => part.trim() !== '')) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length < length && last.length + sentence.length < CHUNK_LENGTH_MAX)
      chunks[chunks.length - 1] = `${last} ${sentence}`;
    else chunks.push(sentence.slice(0, CHUNK_LENGTH_MAX * 2));
  }
  return chunks.slice(0, CHUNKS_MAX);
}
