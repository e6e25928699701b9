import { describe, expect, it } from '@jest/globals';
import { chunksOf, coverageByWords, rankCalls, withoutStopWords, wordsOf } from './search-terms.ts';

describe('the pieces of a text', () => {
  it('the pieces of a text are its sentences, where it is short', () => {
    expect(
      chunksOf('I would like to buy 12 red bicycles. Certainly, when do you need them delivered? Hello. Hi. Goodbye.'),
    ).toEqual([
      'I would like to buy 12 red bicycles.',
      'Certainly, when do you need them delivered?',
      'Hello. Hi. Goodbye.',
    ]);
  });

  it('the pieces of a text are longer in a long text, and bounded in number', () => {
    const chunks = chunksOf('This is one of very many sentences of a long talk. '.repeat(1000));
    expect(chunks).toHaveLength(40);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(400);
    expect(chunksOf('')).toEqual([]);
    expect(chunksOf('x'.repeat(5000))).toHaveLength(1);
  });
});

describe('the words of a text', () => {
  it('the words of a text are found without case and accents, each once', () => {
    expect(wordsOf('Café, CAFÉ: the 2 cafés!')).toEqual(['cafe', 'the', 'cafes']);
  });
});

describe('the words of a query that say something', () => {
  it.each([
    ['reimbursement for broken footwear', ['reimbursement', 'broken', 'footwear']],
    ['erstatning for de ødelagte sko', ['erstatning', 'ødelagte', 'sko']],
    ['die Rechnung über den Schrank', ['rechnung', 'schrank']],
    ['Hansen', ['hansen']],
    ['what about the', ['what', 'about', 'the']],
    ['', []],
  ])('the words of the query %j that say something are %j', (query, expected) => {
    expect(withoutStopWords(wordsOf(query))).toEqual(expected);
  });
});

const ranking = (matches: string[][], similarity: Record<string, number>, total = 100) =>
  rankCalls(coverageByWords(matches, total), new Map(Object.entries(similarity)));

describe('the ranking of calls', () => {
  it('the ranking of calls puts a call with every word before one of the same meaning', () => {
    expect(ranking([['name']], { meaning: 0.9 })).toEqual(['name', 'meaning']);
  });

  it('the ranking of calls puts the meaning before one word of several', () => {
    expect(ranking([[], ['coffee machine'], []], { shoes: 0.5, 'coffee machine': 0.26 })).toEqual([
      'shoes',
      'coffee machine',
    ]);
  });

  it('the ranking of calls counts a rare word for more than a common one', () => {
    const common = Array.from({ length: 50 }, (_, index) => `c${index}`);
    expect(ranking([common, ['rare']], {})[0]).toBe('rare');
  });

  it('the ranking of calls keeps the newest first among equals', () => {
    expect(ranking([['new', 'old']], {})).toEqual(['new', 'old']);
  });
});
