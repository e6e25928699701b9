import { describe, expect, it } from '@jest/globals';
import { wordsOf } from './search-terms.ts';
import { withoutStopWords } from './stop-words.ts';

describe('the words of a query that say something', () => {
  it.each([
    ['reimbursement for broken footwear', ['reimbursement', 'broken', 'footwear']],
    ['erstatning for de ødelagte sko', ['erstatning', 'ødelagte', 'sko']],
    ['die Rechnung über den Schrank', ['rechnung', 'schrank']],
    ['Hansen', ['hansen']],
    ['what about the', ['what', 'about', 'the']],
    ['', []],
  ])('of %j are %j', (query, expected) => {
    expect(withoutStopWords(wordsOf(query))).toEqual(expected);
  });
});
