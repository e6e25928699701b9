import { describe, expect, it } from '@jest/globals';
import { highlightsOf, wordsOfQuery, wordsOfText } from './text-words.ts';

describe('the words of a text', () => {
  it.each([
    ['Grüße an ZOË, bis 12.30!', ['gruße', 'an', 'zoe', 'bis', '12.30']],
    ['Don’t worry, don’t', ['dont', 'worry']],
    ['Smørrebrød på torsdag 👋', ['smorrebrod', 'pa', 'torsdag']],
    ['', []],
    ['?! …', []],
  ])('%j are %j', (text, words) => expect(wordsOfText(text)).toEqual(words.map((word) => word.replace('ß', 'ss'))));

  it('are found in scripts without spaces', () => expect(wordsOfText('明日電話します')).toContain('電話'));

  it('are bounded in number and length', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ');
    expect(wordsOfText(many)).toHaveLength(1000);
    expect(wordsOfText('x'.repeat(100))).toEqual(['x'.repeat(32)]);
    expect(wordsOfQuery(many)).toHaveLength(8);
  });
});

describe('highlights', () => {
  it('are ranges of the original text', () => {
    const text = '👋 Zoë says: ZOE’s here, zoe!';
    expect(highlightsOf(text, ['zoe']).map(({ start, end }) => text.slice(start, end))).toEqual(['Zoë', 'zoe']);
  });

  it('are bounded', () => expect(highlightsOf('a '.repeat(500), ['a'])).toHaveLength(100));
});
