import { describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { StringValueSchema } from '@bufbuild/protobuf/wkt';
import { mentionsNumber } from './mentions-person.ts';

const number = '+4520304050';
const inJson = (text: string) => Buffer.from(JSON.stringify({ from: text }));
const inProto = (value: string) => toBinary(StringValueSchema, create(StringValueSchema, { value }));

describe('a number', () => {
  it('a number is found in JSON and in protobuf', () => {
    expect(mentionsNumber(inJson(number), number)).toBe(true);
    expect(mentionsNumber(inProto(number), number)).toBe(true);
  });

  it('a number is found in protobuf also when the next byte looks like a digit', () => {
    expect(mentionsNumber(Buffer.concat([inProto(number), Buffer.from('2')]), number)).toBe(true);
  });

  it('a number is not the beginning of a longer one', () => {
    expect(mentionsNumber(inJson(`${number}7`), number)).toBe(false);
    expect(mentionsNumber(inProto(`${number}7`), number)).toBe(false);
    expect(mentionsNumber(inJson(`${number}7 ${number}`), number)).toBe(true);
  });
});
