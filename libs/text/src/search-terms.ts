const TERM_LENGTH_MAX = 32;

/** Letters that no normalisation takes apart, as they are typed without their own key. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/** The words of a text in lower case, without accents and apostrophes. */
export function wordsOf(text: string | null): string[] {
  const plain = (text ?? '')
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’ʼ`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[æœøßđðłþ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain.split(/\s+/).filter((word) => word !== '');
}

/** Every suffix of every word, cut to the length of a term: any part of a word is the prefix of one of them. */
export function suffixesOf(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const characters = [...word];
    return characters.map((_, index) => characters.slice(index, index + TERM_LENGTH_MAX).join(''));
  });
}

/** The terms to store: each once, cut to a length that indexes, `countMax` at the most. */
export function uniqueTerms(terms: readonly string[], countMax: number): string[] {
  return [...new Set(truncateTerms(terms))].slice(0, countMax);
}

/** Words as the terms that begin with them are stored. */
export function truncateTerms(words: readonly string[]): string[] {
  return words.map((word) => word.slice(0, TERM_LENGTH_MAX));
}

/**
 * Matches terms that begin with the word, by an index on the terms. `RegExp.escape` also escapes the first letter, and then MongoDB
 * reads the whole index.
 */
export function prefixPattern(word: string): RegExp {
  return new RegExp(`^${word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)}`);
}
