import { describe, expect, it } from '@jest/globals';
import { holdingNumbers } from './holding-numbers.ts';

describe('the numbers that hold back a removal', () => {
  it.each([
    [{ main_numbers: [{ id: 'num_1', name: 'Sales' }] }, [{ id: 'num_1', name: 'Sales' }]],
    [{ main_numbers: [{ id: 1 }, null, 'num_1'] }, []],
    [{}, []],
  ])('the numbers that hold back a removal are read from %j', (body, numbers) => {
    expect(holdingNumbers(body)).toEqual(numbers);
  });
});
