import { describe, expect, it } from '@jest/globals';
import { longestStepMs } from '@parley/testkit';
import { highlightsOf, wordsOfQuery, wordsOfText } from './text-words.ts';

describe('the words of a text', () => {
  it.each([
    ['Grüße an ZOË, bis 12.30!', ['gruße', 'an', 'zoe', 'bis', '12.30']],
    ['Don’t worry, don’t', ['dont', 'worry']],
    ['Smørrebrød på torsdag 👋', ['smorrebrod', 'pa', 'torsdag']],
    ['', []],
    ['?! …', []],
  ])('the words of %j are %j', async (text, words) =>
    expect(await wordsOfText(text)).toEqual(words.map((word) => word.replace('ß', 'ss'))),
  );

  it('the words of a text are found in scripts without spaces', async () =>
    expect(await wordsOfText('明日電話します')).toContain('電話'));

  it.each(['今天我们想订购十二辆红色自行车', '明日電話しますのでよろしく', 'a '])(
    'the words of a text are found in many long texts such as %j while others are served',
    async (sentence) => {
      const text = sentence.repeat(10_000).slice(0, 10_000);
      const find = () => Promise.all(Array.from({ length: 10 }, () => highlightsOf(text, ['x'])));
      expect(await longestStepMs(find)).toBeLessThan(50);
    },
  );

  it('the words of a text are bounded in number and length', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ');
    expect(await wordsOfText(many)).toHaveLength(1000);
    expect(await wordsOfText('x'.repeat(100))).toEqual(['x'.repeat(32)]);
    expect(await wordsOfQuery(many)).toHaveLength(8);
  });
});

describe('highlights', () => {
  it('highlights are ranges of the original text', async () => {
    const text = '👋 Zoë says: ZOE’s here, zoe!';
    expect((await highlightsOf(text, ['zoe'])).map(({ start, end }) => text.slice(start, end))).toEqual(['Zoë', 'zoe']);
  });

  it('highlights are bounded', async () => expect(await highlightsOf('a '.repeat(500), ['a'])).toHaveLength(100));
});
