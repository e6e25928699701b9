import { describe, expect, it } from '@jest/globals';
import {
  areTimesComplete,
  breakParts,
  businessHoursBody,
  businessHoursForm,
  clockTime,
} from './business-hours-form.ts';

describe('the form of business hours', () => {
  it('the form of business hours keeps what was saved', () => {
    const hours = { open: true, opening_at: '08:00', closing_at: '24:00', breaks: [{ from: '12:00', to: '12:30' }] };
    const monday = { day_of_week: 0, day_name: 'Monday', ...hours };
    expect(businessHoursBody(businessHoursForm([monday]))).toEqual([
      {
        day_of_week: 0,
        open: true,
        opening_at: '08:00',
        closing_at: '24:00',
        breaks: [{ from: '12:00', to: '12:30' }],
      },
    ]);
  });

  it.each([
    ['9', '09:00'],
    ['09', '09:00'],
    ['9:30', '09:30'],
    ['9.30', '09:30'],
    ['0930', '09:30'],
    ['930', '09:30'],
    [' 24:00 ', '24:00'],
    ['25:00', '25:00'],
    ['noon', 'noon'],
    ['', ''],
  ])('the form of business hours reads %j as %j', (typed, time) => {
    expect(clockTime(typed)).toBe(time);
  });

  it.each([
    ['9', '17', true],
    ['00:00', '24:00', true],
    ['9', '', false],
    ['24:00', '24:00', false],
    ['17:00', '9:00', false],
    ['9:61', '10', false],
  ])('a day from %j to %j is complete: %j', (opensAt, closesAt, expected) => {
    const monday = { dayOfWeek: 0, name: 'Monday', open: true, opensAt, closesAt, breaks: [] };
    expect(areTimesComplete([monday])).toBe(expected);
  });

  it.each([
    ['12', '12:30', true, [{ from: 0.5, to: 12.5 / 24 }]],
    ['12', '', false, []],
    ['13', '12', false, []],
  ])('a break from %j to %j is complete: %j', (from, to, expected, drawn) => {
    const day = { dayOfWeek: 0, name: 'Monday', open: true, opensAt: '9', closesAt: '17', breaks: [{ from, to }] };
    expect([areTimesComplete([day]), breakParts(day)]).toEqual([expected, drawn]);
  });
});
