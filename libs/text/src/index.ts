export { plainLine, plainText } from './plain-text.ts';
export {
  prefixPattern,
  suffixesOf,
  truncateTerms,
  uniqueTerms,
  wordsOf,
  type SearchWordKeys,
  searchWordKeys,
} from './search-terms.ts';
