import { expect, it } from '@jest/globals';
import { activityQuery, typeText, valueText } from './activity-text.ts';

it('what happened is said in words, or as the API names it', () => {
  expect(typeText('employee.role_changed')).toBe('Role changed');
  expect(typeText('moon.landed')).toBe('moon.landed');
});

it('values are short, and hidden ones are said to be', () => {
  expect([null, '', true, 7, '(set)', ['a']].map(valueText)).toEqual(['–', '–', 'yes', '7', '(not shown)', '["a"]']);
  expect(valueText('x'.repeat(500))).toHaveLength(121);
});

it('a period includes its last day', () => {
  const query = activityQuery((name) => ({ from: '2026-11-16', to: '2026-11-16' })[name] ?? '');
  expect(Date.parse(query.to!) - Date.parse(query.from!)).toBe(86_400_000);
  expect(activityQuery((name) => (name === 'from' ? 'soon' : ''))).toEqual({});
});
