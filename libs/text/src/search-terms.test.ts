import { describe, expect, it } from '@jest/globals';
import { truncateTerms, prefixPattern, suffixesOf, uniqueTerms, wordsOf } from './search-terms.ts';

describe('the words of a text', () => {
  it.each([
    ['Søren  Ærø', ['soren', 'aero']],
    ['Łukasz Weiß', ['lukasz', 'weiss']],
    ["Zoë O'Brien", ['zoe', 'obrien']],
    ['', []],
    [null, []],
  ])('the words of %j are typed without accents', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('the terms of words', () => {
  it('the terms of words begin with any part of them', () => {
    expect(suffixesOf(['ada', 'b'])).toEqual(['ada', 'da', 'a', 'b']);
  });

  it('the terms of words are no longer than a term, so that a note of one long word costs no more than one of many', () => {
    const endings = suffixesOf(['🙂'.repeat(10_000)]);
    expect(endings).toHaveLength(10_000);
    expect(endings.join('').length).toBeLessThan(10_000 * 64 + 1);
  });

  it('the terms of words are stored once, and no more than there may be', () => {
    expect(uniqueTerms(['a', 'b', 'a', 'c'], 2)).toEqual(['a', 'b']);
  });

  it('the terms of words are cut as the words of a query are', () => {
    const long = 'x'.repeat(40);
    expect(uniqueTerms([long], 1)).toEqual(truncateTerms([long]));
    expect(truncateTerms([long])).toEqual(['x'.repeat(32)]);
  });
});

describe('the pattern of a beginning', () => {
  it.each([
    ['zelda', 'zelda rare', true],
    ['zelda', 'a zelda', false],
    ['a.b', 'axb', false],
    ['a.b+(c', 'a.b+(c)', true],
  ])('the pattern of the beginning %s fits %s: %s', (word, term, fits) => {
    expect(prefixPattern(word).test(term)).toBe(fits);
  });

  it('the pattern of a beginning begins with the letters themselves, by which an index is entered', () => {
    expect(prefixPattern('zelda').source).toBe('^zelda');
  });
});
