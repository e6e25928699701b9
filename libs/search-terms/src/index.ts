export { truncateTerms, prefixPattern, suffixesOf, uniqueTerms, wordsOf } from './search-terms.ts';
export { type SearchWordKeys, searchWordKeys } from './search-word-keys.ts';
