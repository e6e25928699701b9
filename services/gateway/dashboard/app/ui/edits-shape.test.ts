import { expect, it } from '@jest/globals';
import { hasShapeOf } from './edits-shape.ts';

const sample = { type: null, name: '', days: [{ day: 1, open: true }], options: [] };

it.each([
  ['the same fields', { type: 'Menu', name: 'x', days: [], options: [{ key: 'a' }] }, true],
  ['nothing', null, false],
  ['a list', [], false],
  ['a field less', { type: null, name: '', days: [] }, false],
  ['another field', { type: null, name: '', days: [], other: [] }, false],
  ['another type', { type: null, name: 1, days: [], options: [] }, false],
  ['another element', { type: null, name: '', days: [{ day: '1', open: true }], options: [] }, false],
])('edits are compared with the form that they are for: %s', (_what, value, expected) => {
  expect(hasShapeOf(value, sample)).toBe(expected);
});
