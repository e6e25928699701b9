import { expect, it } from '@jest/globals';
import { type ContextValue, valueWords } from './context-value.ts';

it.each<[ContextValue, string | undefined, string]>([
  ['Gold', 'badge', 'Gold'],
  [{ amount: '12345678901234567.89', currency: 'EUR' }, 'money', '€12,345,678,901,234,567.89'],
  [{ amount: '5', currency: '<b>' }, 'money', '5 <b>'],
  ['2026-02-03T10:00:00Z', 'date', 'Feb 3, 2026'],
  ['next week', 'date', 'next week'],
  ['2026-02-03', undefined, '2026-02-03'],
])('the context value %j is shown in format %s', (value, format, words) =>
  expect(valueWords(value, format, 'en-US')).toBe(words),
);
