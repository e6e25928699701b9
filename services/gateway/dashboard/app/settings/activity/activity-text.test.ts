import { expect, it } from '@jest/globals';
import { activityQuery, changeTexts, typeText, valueText } from './activity-text.ts';

it('what happened is said in words, or as the API names it', () => {
  expect(typeText('employee.role_changed')).toBe('Role changed');
  expect(typeText('moon.landed')).toBe('moon.landed');
});

it('values are short, and hidden ones are said to be', () => {
  expect([null, '', true, 7, '(set)', ['a', 'b'], { a: 1 }].map(valueText)).toEqual([
    '–',
    '–',
    'yes',
    '7',
    '(not shown)',
    'a, b',
    '{"a":1}',
  ]);
  expect(valueText('x'.repeat(500))).toHaveLength(121);
});

it('changes are what a person wants to know of them', () => {
  const object = { type: 'employee', id: 'emp_1', name: 'Bo' };
  const changes = {
    name: { from: null, to: 'Bo' },
    employee_id: { from: null, to: 'emp_1' },
    incoming_call_config: { from: '(set)', to: '(set)' },
    call_waiting: { from: null, to: false },
    role: { from: null, to: 'member' },
    url: { from: null, to: 'https://a.example' },
    requires_two_factor: { from: true, to: false },
  };
  expect(changeTexts({ object, changes })).toEqual([
    ['Role', 'member'],
    ['URL', 'https://a.example'],
    ['Requires two factor', 'yes', 'no'],
  ]);
});

it('a period includes its last day', () => {
  const query = activityQuery((name) => ({ from: '2026-11-16', to: '2026-11-16' })[name] ?? '');
  expect(Date.parse(query.to!) - Date.parse(query.from!)).toBe(86_400_000);
  expect(activityQuery((name) => (name === 'from' ? 'soon' : ''))).toEqual({});
});
