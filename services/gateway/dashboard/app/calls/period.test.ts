import { expect, it } from '@jest/globals';
import { periodName, periodOf } from './period.ts';

const now = new Date(2026, 2, 3, 12);

it('a period is a number of days until today', () => {
  expect(periodOf('today', now)).toEqual({ from: '2026-03-03', to: '' });
  expect(periodOf('week', now)).toEqual({ from: '2026-02-25', to: '' });
});

it.each([
  [{ from: '', to: '' }, 'any'],
  [{ from: '2026-02-25', to: '' }, 'week'],
  [{ from: '2026-02-25', to: '2026-02-26' }, 'days'],
  [{ from: '', to: '2026-02-26' }, 'days'],
])('the period %j is %s', (period, name) => {
  expect(periodName(period, now)).toBe(name);
});
