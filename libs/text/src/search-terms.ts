import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

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

/**
 * Words as the index stores them: a keyed hash, so that the database finds a word without containing it. The hash is
 * of the company too: the same word of two companies looks different.
 */
export interface SearchWordKeys {
  stored(companyId: string, word: string): string;
  /** Every form that the word may be stored in: one for each key. */
  storedForms(companyId: string, word: string): string[];
}

const HASH_BYTES = 12;
/** No word begins with it. */
const HASHED = '#';

/** `keys`: 32 bytes in base64 each; what is hashed with is derived from them. The first one writes. */
export function searchWordKeys(keys: readonly string[]): SearchWordKeys {
  // Bytes would be made into a key object for each word, which takes longer than the hash.
  const secrets = keys.map((key) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley search words', 32))),
  );
  const [first] = secrets;
  if (!first) throw new Error('without a key no word can be stored');
  const hash = (secret: KeyObject, companyId: string, word: string) =>
    HASHED +
    createHmac('sha256', secret).update(`${companyId} ${word}`).digest().subarray(0, HASH_BYTES).toString('base64url');
  return {
    stored: (companyId, word) => hash(first, companyId, word),
    storedForms: (companyId, word) => secrets.map((secret) => hash(secret, companyId, word)),
  };
}
