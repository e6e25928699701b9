import { describe, expect, it } from '@jest/globals';
import { keywordOf } from './keyword.ts';

describe('a keyword', () => {
  it.each([
    ['STOP', 'stop'],
    ['stop', 'stop'],
    [' Stop. ', 'stop'],
    ['STOP ALL', 'stop'],
    ['Unsubscribe!', 'stop'],
    ['opt-out', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['quit', 'stop'],
    ['START', 'start'],
    ['unstop', 'start'],
    ['Help?', 'help'],
    ['info', 'help'],
    ['Please stop by tomorrow', undefined],
    ['Stopp', undefined],
    ['yes', undefined],
    ['', undefined],
    ['constructor', undefined],
    [`STOP${' '.repeat(50)}`, undefined],
  ])('the keyword in %j is %s', (text, keyword) => {
    expect(keywordOf(text)).toBe(keyword);
  });
});
