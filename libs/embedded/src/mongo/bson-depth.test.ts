import { describe, expect, it } from '@jest/globals';
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { bsonDepth } from './bson-depth.ts';

const depthOf = (document: object) => bsonDepth(Buffer.from(serialize(document)), 0);

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe('the depth of a document', () => {
  it.each([1, 2, 10, 181, 1_000])('the depth of a document counts %i levels', (levels) => {
    expect(depthOf(nested(levels))).toBe(levels);
  });

  it('the depth of a document counts arrays as levels', () => {
    expect(depthOf({ a: [[{ b: 1 }]] })).toBe(4);
  });

  it('the depth of a document sees a deep scope behind a piece of code', () => {
    expect(depthOf({ a: new Code('x', nested(7)) })).toBe(8);
  });

  it('the depth of a document steps over every type of value', () => {
    const values = {
      double: new Double(1.5),
      text: 'ü',
      binary: new Binary(Buffer.from('abc')),
      id: new ObjectId(),
      yes: true,
      date: new Date(0),
      nothing: null,
      pattern: new BSONRegExp('a.b', 'i'),
      code: new Code('f()'),
      int: new Int32(7),
      timestamp: new Timestamp(1n),
      long: Long.fromNumber(5),
      decimal: Decimal128.fromString('1.1'),
      least: new MinKey(),
      most: new MaxKey(),
    };
    expect(depthOf({ ...values, inner: { values } })).toBe(3);
  });

  it('the depth of a document is found at an offset', () => {
    expect(bsonDepth(Buffer.concat([Buffer.alloc(9, 1), serialize({ a: {} })]), 9)).toBe(2);
  });
});

describe('bytes that are not a document', () => {
  const sound = Buffer.from(serialize({ a: 'text', b: { c: [1, 2] } }));

  it('bytes that are not a document are never measured past their end, wherever they are cut', () => {
    for (let length = 0; length < sound.length; length++)
      expect(bsonDepth(sound.subarray(0, length), 0)).toBeUndefined();
  });

  it.each([
    ['a negative length of a text', { a: 'text' }, 7, -5],
    ['a document shorter than its fields', { a: 'text' }, 0, 6],
    ['an inner document longer than the outer', { a: {} }, 7, 99],
  ])('bytes that are not a document have %s', (_, document, at, length) => {
    const bytes = Buffer.from(serialize(document));
    bytes.writeInt32LE(length, at);
    expect(bsonDepth(bytes, 0)).toBeUndefined();
  });

  it('bytes that are not a document have an unknown type', () => {
    const bytes = Buffer.from(serialize({ a: 1 }));
    bytes[4] = 0x42;
    expect(bsonDepth(bytes, 0)).toBeUndefined();
  });
});
