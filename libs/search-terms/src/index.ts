export { beginningsOf, beginsWith, endingsOf, uniqueTerms, wordsOf } from './search-terms.ts';
