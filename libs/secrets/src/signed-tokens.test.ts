import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { signedTokens } from './signed-tokens.ts';

const newKeys = () => [randomBytes(32).toString('base64')];
const tokens = signedTokens(newKeys(), 'tests');
const scope = ['com_1', 'contacts', { query: 'ada' }];

describe('a signed token', () => {
  it('a signed token opens to the content it was made for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (content, anyScope) => {
        const opened = tokens.open(tokens.seal(content, anyScope), anyScope);
        expect(opened).toEqual(JSON.parse(JSON.stringify(content)));
      }),
      { numRuns: 200 },
    );
  });

  it('a signed token opens in another process with the same key, and in none with another', () => {
    const keys = newKeys();
    const token = signedTokens(keys, 'contacts').seal(['b', 2], scope);
    expect(signedTokens([...keys], 'contacts').open(token, scope)).toEqual(['b', 2]);
    expect(signedTokens(keys, 'calls').open(token, scope)).toBeUndefined();
    expect(tokens.open(token, scope)).toBeUndefined();
  });

  it('a signed token opens in replicas with the same keys in another order, while a key is replaced', () => {
    const [[old = ''], [next = '']] = [newKeys(), newKeys()];
    const rings = [
      [old, next],
      [next, old],
    ].map((keys) => signedTokens(keys, 'contacts'));
    for (const one of rings)
      for (const other of rings) expect(other.open(one.seal(['b', 2], scope), scope)).toEqual(['b', 2]);
    expect(signedTokens([next], 'contacts').open(rings[0]!.seal(['b', 2], scope), scope)).toBeUndefined();
  });

  it.each([
    ['another company’s', ['com_2', 'contacts', { query: 'ada' }]],
    ['another endpoint’s', ['com_1', 'employees', { query: 'ada' }]],
    ['another filter’s', ['com_1', 'contacts', { query: 'bob' }]],
    ['a wider', ['com_1', 'contacts']],
    ['a differently divided', ['com_1', 'contacts', 'query', 'ada']],
  ])('a signed token does not open in %s scope', (_, other) => {
    expect(tokens.open(tokens.seal({ name: 'b' }, scope), other)).toBeUndefined();
  });

  it('a signed token does not open when any character of it was changed or added', () => {
    const token = tokens.seal({ name: 'b', id: 'con_1' }, scope);
    for (const added of ['A', '=', '==', '.', ' ']) expect(tokens.open(token + added, scope)).toBeUndefined();
    for (let i = 0; i < token.length; i++) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(tokens.open(changed, scope)).toBeUndefined();
    }
  });

  it('a signed token needs no escaping in an address', () => {
    expect(tokens.seal({ name: 'Søren & co?/+' }, scope)).toMatch(/^[\w.-]+$/);
  });

  it.each(['', '.', '..', 'a.b', 'e30', 'e30.', '.e30', `e30.${'A'.repeat(22)}`, '%00', 'null', '{}'])(
    'a signed token that is nonsense is not one: %j',
    (nonsense) => {
      expect(tokens.open(nonsense, scope)).toBeUndefined();
    },
  );

  it('a signed token that is any text at all never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(tokens.open(text, scope)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
