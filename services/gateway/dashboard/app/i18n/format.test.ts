import { describe, expect, it } from '@jest/globals';
import { dayHeading, elapsed, shortTime } from './format.ts';
import { decideLanguage } from './locale.ts';
import { withValues } from './translate.ts';

const now = new Date(2026, 10, 16, 13, 0);

describe('a time in a list', () => {
  it.each([
    [new Date(2026, 10, 16, 0, 5), /^00:05$/],
    [new Date(2026, 10, 15, 23, 59), /^Yesterday$/],
    [new Date(2026, 10, 12, 9, 0), /^Thursday$/],
    [new Date(2026, 10, 9, 14, 0), /^(9 Nov|Nov 9)$/],
    [new Date(2025, 10, 16, 14, 0), /2025/],
    [new Date(2026, 10, 18, 14, 0), /^(18 Nov|Nov 18)$/],
  ])('the time %s in a list is %s', (at, text) => {
    expect(shortTime(at, now)).toMatch(text);
  });

  it('a time in a list has headings by day', () => {
    expect(dayHeading(new Date(2026, 10, 16, 1), now)).toBe('Today');
    expect(dayHeading(new Date(2026, 10, 15, 1), now)).toBe('Yesterday');
    expect(dayHeading(new Date(2026, 10, 13, 1), now)).toMatch(/Friday/);
  });

  it('a time in a list is said as how long ago', () => {
    expect(elapsed(new Date(2026, 10, 16, 12, 24), now)).toBe('36 min');
    expect(elapsed(new Date(2026, 10, 16, 10, 0), now)).toBe('3 h');
    expect(elapsed(new Date(2026, 10, 14, 10, 0), now)).toBe('2 d');
  });
});

it.each([
  [null, ['fr-FR', 'da-DK', 'en'], 'da'],
  ['de', ['da'], 'de'],
  ['xx', [], 'en'],
])('the language of %s with %j is %s', (chosen, preferred, expected) => {
  expect(decideLanguage(chosen, preferred)).toBe(expected);
});

it('withValues puts values into a sentence', () => {
  expect(withValues('{name} waits for {count} min, {unknown}', { name: 'Bo', count: 3 })).toBe(
    'Bo waits for 3 min, {unknown}',
  );
});
