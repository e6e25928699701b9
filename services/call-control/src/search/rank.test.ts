import { describe, expect, it } from '@jest/globals';
import { coverageByWords, rankCalls } from './rank.ts';

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
