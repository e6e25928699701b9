import { describe, expect, it } from '@jest/globals';
import { collectProblems } from '../call-flows/problems.ts';
import { DEFAULT_BUSINESS_HOURS } from './business-hours.ts';
import { changeBusinessHours } from './business-hours-change.ts';

function change(written: unknown) {
  const problems = collectProblems();
  const hours = changeBusinessHours(DEFAULT_BUSINESS_HOURS, written, problems);
  return { hours, paths: Object.keys(problems.fields()) };
}

const saturday = (more: object = {}) => ({
  day_of_week: 5,
  open: true,
  opening_at: '10:00',
  closing_at: '14:00',
  ...more,
});

describe('a change of business hours', () => {
  it('replaces the days it names and leaves the others', () => {
    const { hours, paths } = change([saturday(), { day_of_week: 0, closing_at: '24:00' }]);
    expect(paths).toEqual([]);
    expect(hours).toEqual([
      { dayOfWeek: 0, open: true, openingAt: '09:00', closingAt: '24:00' },
      ...DEFAULT_BUSINESS_HOURS.slice(1, 5),
      { dayOfWeek: 5, open: true, openingAt: '10:00', closingAt: '14:00' },
      ...DEFAULT_BUSINESS_HOURS.slice(6),
    ]);
  });

  it('takes a whole week', () => {
    const week = Array.from({ length: 7 }, (_, day_of_week) => saturday({ day_of_week }));
    expect(change(week).paths).toEqual([]);
  });

  it('leaves out what an entry leaves out', () => {
    expect(change([{ day_of_week: 5, open: true }]).hours[5]).toEqual({
      dayOfWeek: 5,
      open: true,
      openingAt: '09:00',
      closingAt: '17:00',
    });
    expect(change([{ day_of_week: 5 }]).hours).toEqual(DEFAULT_BUSINESS_HOURS);
  });

  it.each([
    ['no list', 'x', ['business_hours']],
    ['null', null, ['business_hours']],
    ['an object', {}, ['business_hours']],
    ['an empty list', [], ['business_hours']],
    [
      'eight entries',
      Array.from({ length: 8 }, (_, day) => saturday({ day_of_week: day % 7 })),
      ['business_hours', 'business_hours[7].day_of_week'],
    ],
    ['an entry that is none', [5], ['business_hours[0]']],
    ['an entry without a day', [{ open: true }], ['business_hours[0].day_of_week']],
    ['day 7', [saturday({ day_of_week: 7 })], ['business_hours[0].day_of_week']],
    ['day -1', [saturday({ day_of_week: -1 })], ['business_hours[0].day_of_week']],
    ['half a day', [saturday({ day_of_week: 1.5 })], ['business_hours[0].day_of_week']],
    ['a day as text', [saturday({ day_of_week: '1' })], ['business_hours[0].day_of_week']],
    ['a day twice', [saturday(), saturday()], ['business_hours[1].day_of_week']],
    ['open as text', [saturday({ open: 'true' })], ['business_hours[0].open']],
    ['an hour of one digit', [saturday({ opening_at: '9:00' })], ['business_hours[0].opening_at']],
    ['seconds', [saturday({ opening_at: '09:00:00' })], ['business_hours[0].opening_at']],
    ['opening at 24:00', [saturday({ opening_at: '24:00' })], ['business_hours[0].opening_at']],
    ['closing at 24:01', [saturday({ closing_at: '24:01' })], ['business_hours[0].closing_at']],
    ['closing at 25:00', [saturday({ closing_at: '25:00' })], ['business_hours[0].closing_at']],
    ['minute 60', [saturday({ closing_at: '13:60' })], ['business_hours[0].closing_at']],
    ['a time that is a number', [saturday({ closing_at: 14 })], ['business_hours[0].closing_at']],
    ['a time that is null', [saturday({ opening_at: null })], ['business_hours[0].opening_at']],
    ['opening when it closes', [saturday({ closing_at: '10:00' })], ['business_hours[0].closing_at']],
    ['opening after it closes', [{ day_of_week: 0, opening_at: '18:00' }], ['business_hours[0].opening_at']],
    [
      'several at once',
      [saturday({ opening_at: 'x', open: 1 }), { day_of_week: 9 }],
      ['business_hours[0].open', 'business_hours[0].opening_at', 'business_hours[1].day_of_week'],
    ],
  ])('refuses %s', (_, written, paths) => {
    expect(change(written).paths).toEqual(paths);
  });

  it('does not mind the times of a closed day', () => {
    expect(change([saturday({ open: false, opening_at: '18:00', closing_at: '08:00' })]).paths).toEqual([]);
  });

  it('does not open a day whose kept times leave no time to be open', () => {
    const problems = collectProblems();
    const odd = DEFAULT_BUSINESS_HOURS.map((entry) => ({ ...entry, open: false, openingAt: '18:00' }));
    changeBusinessHours(odd, [{ day_of_week: 0, open: true }], problems);
    expect(problems.count()).toBe(1);
  });
});
