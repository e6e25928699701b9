import { describe, expect, it } from '@jest/globals';
import { collectProblems } from '../call-flows/problems.ts';
import { DEFAULT_BUSINESS_HOURS } from '@parley/opening-hours';
import { type BusinessHoursChange, changeBusinessHours } from './business-hours-change.ts';

function change(changes: readonly BusinessHoursChange[], current = DEFAULT_BUSINESS_HOURS) {
  const problems = collectProblems();
  const hours = changeBusinessHours(current, changes, problems);
  return { hours, paths: Object.keys(problems.fields()) };
}

const saturday = (more: object = {}) => ({ dayOfWeek: 5, open: true, openingAt: '10:00', closingAt: '14:00', ...more });

describe('a change of business hours', () => {
  it('a change of business hours replaces the days it names and leaves the others', () => {
    const { hours, paths } = change([saturday(), { dayOfWeek: 0, closingAt: '24:00' }]);
    expect(paths).toEqual([]);
    expect(hours).toEqual([
      { dayOfWeek: 0, open: true, openingAt: '09:00', closingAt: '24:00' },
      ...DEFAULT_BUSINESS_HOURS.slice(1, 5),
      { dayOfWeek: 5, open: true, openingAt: '10:00', closingAt: '14:00' },
      ...DEFAULT_BUSINESS_HOURS.slice(6),
    ]);
  });

  it('a change of business hours keeps the fields an entry leaves out', () => {
    expect(change([{ dayOfWeek: 5, open: true }]).hours[5]).toEqual({
      dayOfWeek: 5,
      open: true,
      openingAt: '09:00',
      closingAt: '17:00',
    });
    expect(change([{ dayOfWeek: 5 }]).hours).toEqual(DEFAULT_BUSINESS_HOURS);
    expect(change([]).hours).toEqual(DEFAULT_BUSINESS_HOURS);
  });

  it.each([
    ['day 7', [saturday({ dayOfWeek: 7 })], ['business_hours[0].day_of_week']],
    ['a day twice', [saturday(), saturday()], ['business_hours[1].day_of_week']],
    ['opening when it closes', [saturday({ closingAt: '10:00' })], ['business_hours[0].closing_at']],
    ['opening after it closes', [{ dayOfWeek: 0, openingAt: '18:00' }], ['business_hours[0].opening_at']],
  ])('a change of business hours refuses %s', (_, changes, paths) => {
    expect(change(changes).paths).toEqual(paths);
  });

  it('a change of business hours accepts any times on a closed day', () => {
    expect(change([saturday({ open: false, openingAt: '18:00', closingAt: '08:00' })]).paths).toEqual([]);
  });

  it('a change of business hours does not open a day whose kept times are in the wrong order', () => {
    const closed = DEFAULT_BUSINESS_HOURS.map((entry) => ({ ...entry, open: false, openingAt: '18:00' }));
    expect(change([{ dayOfWeek: 0, open: true }], closed).paths).toEqual(['business_hours[0].opening_at']);
  });
});

describe('breaks in a change of business hours', () => {
  const lunch = { from: '12:00', to: '13:00' };
  const coffee = { from: '10:30', to: '10:45' };
  const monday = (...breaks: { from: string; to: string }[]) => change([{ dayOfWeek: 0, breaks }]);

  it('breaks in a change of business hours are in the order of the day, and stay when a change leaves them out', () => {
    const { hours } = monday(lunch, coffee);
    expect(hours[0]?.breaks).toEqual([coffee, lunch]);
    expect(change([{ dayOfWeek: 0, closingAt: '18:00' }], hours).hours[0]?.breaks).toEqual([coffee, lunch]);
    expect(change([{ dayOfWeek: 0, breaks: [] }], hours).hours).toEqual(DEFAULT_BUSINESS_HOURS);
  });

  it('breaks in a change of business hours may touch each other and the ends of the opening time', () => {
    const { paths } = monday({ from: '09:00', to: '10:30' }, coffee, { from: '10:45', to: '17:00' });
    expect(paths).toEqual([]);
  });

  it.each([
    ['one that ends before it begins', [{ from: '13:00', to: '12:00' }], ['business_hours[0].breaks[0].to']],
    ['one without length', [{ from: '12:00', to: '12:00' }], ['business_hours[0].breaks[0].to']],
    ['one before the opening', [{ from: '08:59', to: '10:00' }], ['business_hours[0].breaks[0].from']],
    ['one after the closing', [lunch, { from: '16:00', to: '17:01' }], ['business_hours[0].breaks[1].to']],
    ['overlapping ones', [lunch, { from: '11:00', to: '12:01' }], ['business_hours[0].breaks[1]']],
    ['equal ones', [lunch, lunch], ['business_hours[0].breaks[1]']],
    [
      'five',
      Array.from({ length: 5 }, (_, hour) => ({ from: `1${hour}:00`, to: `1${hour}:10` })),
      ['business_hours[0].breaks'],
    ],
  ])('breaks in a change of business hours are refused: %s', (_, breaks, paths) => {
    expect(monday(...breaks).paths).toEqual(paths);
  });

  it('a change of business hours refuses opening times that leave a kept break outside', () => {
    const { hours } = monday(lunch);
    expect(change([{ dayOfWeek: 0, closingAt: '12:30' }], hours).paths).toEqual(['business_hours[0].breaks[0].to']);
    expect(change([{ dayOfWeek: 0, closingAt: '12:30', open: false }], hours).paths).toEqual([]);
  });
});
