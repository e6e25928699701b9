import { expect, it } from '@jest/globals';
import { excerptOf } from './text-excerpt.ts';

const shown = (text: string, ...places: [number, number][]) =>
  excerptOf(
    text,
    places.map(([start, end]) => ({ start, end })),
  )
    .map((part) => (part.isHit ? `[${part.text}]` : part.text))
    .join('');

it('an excerpt marks the words that were found', () => {
  expect(shown('The red bike', [4, 7], [8, 12])).toBe('The [red] [bike]');
  expect(shown('bike', [0, 4])).toBe('[bike]');
  expect(shown('nothing')).toBe('nothing');
});

it('an excerpt begins shortly before the first of the words that were found, with a whole word', () => {
  const text = 'We have looked everywhere in the workshop and found the grey lock.';
  expect(shown(text, [56, 60])).toBe('…workshop and found the [grey] lock.');
});

it('an excerpt ignores places that overlap', () => {
  expect(shown('abcdef', [0, 3], [2, 4])).toBe('[abc]def');
});
