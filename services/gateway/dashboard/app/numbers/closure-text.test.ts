import { expect, it } from '@jest/globals';
import { closureDays, missingHolidays } from './closure-text.ts';

it('the text of a closure names one day or the first and the last', () => {
  expect(closureDays({ from: '2026-12-24', to: '2026-12-24' })).not.toContain('–');
  expect(closureDays({ from: '2026-12-24', to: '2027-01-02' })).toMatch(/24.* – .*2/);
});

it('the form of closures proposes holidays that are to come and not closed yet', () => {
  const holidays = ['2026-01-01', '2026-12-25', '2026-12-26'].map((date) => ({ date, name: date }));
  const known = [{ from: '2026-12-24', to: '2026-12-25' }];
  expect(missingHolidays(holidays, known, '2026-06-01')).toEqual([{ date: '2026-12-26', name: '2026-12-26' }]);
});
