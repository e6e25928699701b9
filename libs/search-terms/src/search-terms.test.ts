import { describe, expect, it } from '@jest/globals';
import { beginningsOf, endingsOf, uniqueTerms, wordsOf } from './search-terms.ts';

describe('the words of a text', () => {
  it.each([
    ['Søren  Ærø', ['soren', 'aero']],
    ['Łukasz Weiß', ['lukasz', 'weiss']],
    ["Zoë O'Brien", ['zoe', 'obrien']],
    ['', []],
    [null, []],
  ])('of %j are typed without accents', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('the terms of words', () => {
  it('begin with any part of them', () => {
    expect(endingsOf(['ada', 'b'])).toEqual(['ada', 'da', 'a', 'b']);
  });

  it('are stored once, and no more than there may be', () => {
    expect(uniqueTerms(['a', 'b', 'a', 'c'], 2)).toEqual(['a', 'b']);
  });

  it('are cut as the words of a query are', () => {
    const long = 'x'.repeat(40);
    expect(uniqueTerms([long], 1)).toEqual(beginningsOf([long]));
    expect(beginningsOf([long])).toEqual(['x'.repeat(32)]);
  });
});
