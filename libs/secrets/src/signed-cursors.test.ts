import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { signedCursors } from './signed-cursors.ts';

const newKeys = () => [randomBytes(32).toString('base64')];
const cursors = signedCursors(newKeys(), 'cursors of tests');
const scope = ['com_1', 'contacts', { query: 'ada' }];

describe('a cursor', () => {
  it('a cursor opens to the position it was made for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (position, anyScope) => {
        const opened = cursors.open(cursors.seal(position, anyScope), anyScope);
        expect(opened).toEqual(JSON.parse(JSON.stringify(position)));
      }),
      { numRuns: 200 },
    );
  });

  it('a cursor opens in another process with the same key, and in none with another', () => {
    const keys = newKeys();
    const cursor = signedCursors(keys, 'contacts').seal(['b', 2], scope);
    expect(signedCursors([...keys], 'contacts').open(cursor, scope)).toEqual(['b', 2]);
    expect(signedCursors(keys, 'calls').open(cursor, scope)).toBeUndefined();
    expect(cursors.open(cursor, scope)).toBeUndefined();
  });

  it.each([
    ['another company’s', ['com_2', 'contacts', { query: 'ada' }]],
    ['another endpoint’s', ['com_1', 'employees', { query: 'ada' }]],
    ['another filter’s', ['com_1', 'contacts', { query: 'bob' }]],
    ['a wider', ['com_1', 'contacts']],
    ['a differently divided', ['com_1', 'contacts', 'query', 'ada']],
  ])('a cursor does not open in %s scope', (_, other) => {
    expect(cursors.open(cursors.seal({ name: 'b' }, scope), other)).toBeUndefined();
  });

  it('a cursor does not open when any character of it was changed or added', () => {
    const cursor = cursors.seal({ name: 'b', id: 'con_1' }, scope);
    for (const added of ['A', '=', '==', '.', ' ']) expect(cursors.open(cursor + added, scope)).toBeUndefined();
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      expect(cursors.open(changed, scope)).toBeUndefined();
    }
  });

  it('a cursor needs no escaping in an address', () => {
    expect(cursors.seal({ name: 'Søren & co?/+' }, scope)).toMatch(/^[\w.-]+$/);
  });

  it.each(['', '.', '..', 'a.b', 'e30', 'e30.', '.e30', `e30.${'A'.repeat(22)}`, '%00', 'null', '{}'])(
    'a cursor that is nonsense is not one: %j',
    (nonsense) => {
      expect(cursors.open(nonsense, scope)).toBeUndefined();
    },
  );

  it('a cursor that is any text at all never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(cursors.open(text, scope)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
