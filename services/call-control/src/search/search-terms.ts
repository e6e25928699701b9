/** A word longer than this is found by its beginning. */
const WORD_LENGTH_MAX = 32;
const WORDS_MAX = 3000;
const CHUNK_LENGTH = 400;
const CHUNKS_MAX = 40;

/** The words of a text as they are found: lower case, without accents, each once. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, WORD_LENGTH_MAX)))].slice(0, WORDS_MAX);
}

/** A text in pieces that each have one meaning for the embedding model, cut between sentences where possible. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  for (const sentence of text.split(/(?<=[.!?\n])\s+/)) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + sentence.length < CHUNK_LENGTH)
      chunks[chunks.length - 1] = `${last} ${sentence}`;
    else if (sentence.trim() !== '') chunks.push(sentence.slice(0, CHUNK_LENGTH * 2));
  }
  return chunks.slice(0, CHUNKS_MAX);
}
