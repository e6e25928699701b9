export { plainLine } from './plain-line.ts';
export { plainText } from './plain-text.ts';
export { prefixPattern, suffixesOf, truncateTerms, uniqueTerms, wordsOf } from './search-terms.ts';
export { type SearchWordKeys, searchWordKeys } from './search-word-keys.ts';
