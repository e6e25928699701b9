import { describe, expect, it } from '@jest/globals';
import { visibleOptions } from './visible-options.ts';

const options = Array.from({ length: 1000 }, (_, index) => ({
  value: `emp_${index}`,
  label: `Employee ${index}`,
  detail: `e${index}@example.com`,
}));

describe('the options that a choice shows', () => {
  it('the options that a choice shows are a few of many, and everything selected', () => {
    const { shown, hidden } = visibleOptions(options, ['emp_7', 'emp_999'], '');
    expect(shown).toHaveLength(51);
    expect(shown.at(-1)?.value).toBe('emp_999');
    expect(hidden).toBe(949);
  });

  it('the options that a choice shows are what is searched for', () => {
    expect(visibleOptions(options, ['emp_7'], ' E998@ ').shown.map(({ value }) => value)).toEqual(['emp_998']);
    expect(visibleOptions(options, [], 'employee 99').hidden).toBe(0);
    expect(visibleOptions(options, [], 'nobody')).toEqual({ shown: [], hidden: 0 });
  });
});
