import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PART_LENGTH_MAX, splitText } from './split-text.ts';

const bare = (text: string) => text.replaceAll(/\s/g, '');

describe('splitting a text to be spoken', () => {
  it('splitting a text to be spoken leaves a short text alone', () => {
    expect(splitText(' Hello. World. ', 'en')).toEqual([' Hello. World. ']);
  });

  it('splitting a text to be spoken cuts between sentences', () => {
    const sentence = 'One two three four five.';
    const parts = splitText(Array.from({ length: 60 }, () => sentence).join(' '), 'en');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.endsWith('five.') && part.startsWith('One'))).toBe(true);
  });

  it('splitting a text to be spoken cuts a sentence without end between words, and a word without end anywhere', () => {
    expect(splitText('aaaa bbbb cccc', 'en', 10)).toEqual(['aaaa bbbb', 'cccc']);
    expect(splitText('a'.repeat(25), 'en', 10)).toEqual(['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]);
  });

  it('splitting a text to be spoken never loses a character, never splits one, and keeps every part within bounds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 0, maxLength: 200 }), (text) => {
        const parts = splitText(text, 'da', 40);
        if (text.length > 40) expect(parts.every((part) => part.length <= 40 && part.isWellFormed())).toBe(true);
        expect(bare(parts.join(''))).toBe(bare(text));
      }),
      { numRuns: 300 },
    );
  });

  it('splitting a text to be spoken brings the longest prompt to parts of a bearable size', () => {
    const parts = splitText('Hello there, dear caller. '.repeat(385).slice(0, 10_000), 'en');
    expect(parts.every((part) => part.length <= PART_LENGTH_MAX)).toBe(true);
    expect(parts.length).toBeLessThan(25);
  });
});
