import { expect, it } from '@jest/globals';
import { changedValues, isFormValues } from './form-values.ts';

it('a form keeps only the values that were changed', () => {
  expect(changedValues({ name: 'Ane', phone: '' }, { name: 'Ane', phone: '' })).toBeUndefined();
  expect(changedValues({ name: 'Ane', phone: '' }, { name: '', phone: '' })).toEqual({ name: 'Ane' });
  expect(changedValues({ name: '' }, { name: 'Ane' })).toEqual({ name: '' });
});

it('a form accepts nothing else than texts by name', () => {
  expect(isFormValues({ name: 'Ane' })).toBe(true);
  for (const value of [null, 'Ane', { name: 1 }]) expect(isFormValues(value)).toBe(false);
});
