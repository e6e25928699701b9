import { describe, expect, it } from '@jest/globals';
import { derivedId, isId, newId } from './ids.ts';

describe('a new id', () => {
  it('a new id is its prefix, an underscore and 160 bits in 32 unmistakable characters', () => {
    for (let i = 0; i < 200; i++) expect(newId('con')).toMatch(/^con_[0-9abcdefghjkmnpqrstvwxyz]{32}$/);
  });

  it('a new id is unique, and uses the complete alphabet', () => {
    const ids = Array.from({ length: 2000 }, () => newId('con'));
    expect(new Set(ids).size).toBe(2000);
    expect(new Set(ids.map((id) => id.slice(4)).join('')).size).toBe(32);
  });

  it('a new id cannot have a prefix that would not be recognised later', () => {
    for (const prefix of ['', 'Con', 'api_key', 'k2']) expect(() => newId(prefix)).toThrow('prefix');
  });
});

describe('a derived id', () => {
  const key = Buffer.alloc(32, 1);

  it('a derived id has the shape of any id, and is the same for the same name and key only', () => {
    const id = derivedId('cal', key, 'switch/leg');
    expect(isId('cal', id)).toBe(true);
    expect(derivedId('cal', key, 'switch/leg')).toBe(id);
    expect(derivedId('cal', key, 'switch/other')).not.toBe(id);
    expect(derivedId('cal', Buffer.alloc(32, 2), 'switch/leg')).not.toBe(id);
  });
});

describe('an id that arrives', () => {
  const id = newId('con');

  it('an id that arrives is known by its prefix and shape', () => {
    expect(isId('con', id)).toBe(true);
  });

  it.each([
    ['another kind’s', newId('emp')],
    ['a longer kind’s', newId('cont')],
    ['too short', id.slice(0, -1)],
    ['too long', `${id}0`],
    ['in capitals', id.toUpperCase()],
    ['with a character we do not use', `${id.slice(0, -1)}u`],
    ['with a line break', `${id}\n`],
    ['without a prefix', id.slice(4)],
    ['with a second prefix', `con_${id}`],
    ['empty', ''],
    ['a query operator', { $ne: null }],
    ['a list', [id]],
    ['nothing', undefined],
  ])('an id that arrives is refused when it is %s', (_, value) => {
    expect(isId('con', value)).toBe(false);
  });
});
