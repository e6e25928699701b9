import { describe, expect, it } from '@jest/globals';
import { holdingNumbers, statusText } from './employee-status.ts';

describe('the status of an employee', () => {
  it('is shown in words', () => {
    expect(statusText({ status: 'on_call' })).toBe('On a call');
  });

  it('of a later version of the API is unknown', () => {
    expect(statusText({ status: 'on_holiday' as 'unknown' })).toBe('Unknown');
  });
});

describe('the numbers that an employee is a target of', () => {
  it.each([
    [{ main_numbers: [{ id: 'num_1', name: 'Sales' }] }, [{ id: 'num_1', name: 'Sales' }]],
    [{ main_numbers: [{ id: 1 }, null, 'num_1'] }, []],
    [{}, []],
  ])('are read from %j', (body, numbers) => {
    expect(holdingNumbers(body)).toEqual(numbers);
  });
});
