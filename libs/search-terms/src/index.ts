export { beginningsOf, endingsOf, uniqueTerms, wordsOf } from './search-terms.ts';
