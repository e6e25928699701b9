import { describe, expect, it } from '@jest/globals';
import { quantizeWhisper } from './quantize-whisper.ts';

const ints = (...numbers: number[]) => Buffer.from(Int32Array.from(numbers).buffer);
const halves = (...numbers: number[]) => Buffer.from(Float16Array.from(numbers).buffer);
const tensor = (name: string, type: number, sizes: number[], data: Buffer) =>
  Buffer.concat([ints(sizes.length, name.length, type, ...sizes), Buffer.from(name), data]);

/** Ten parameters that are not looked at, the type of its numbers, one filter of two numbers, one word of three letters. */
const header = (type: number) =>
  Buffer.concat([ints(0x67676d6c, ...Array<number>(10).fill(9), type, 1, 2, 0, 0, 1, 3), Buffer.from('yes')]);
const quantize = (...parts: Buffer[]) => Buffer.concat([...quantizeWhisper(Buffer.concat(parts))]);

const F16 = 1;
const Q8_0 = 8;
const row = [127, -127, 2.5, -2.5, ...Array<number>(28).fill(0)];

describe('a model in 8 bits', () => {
  it('a model in 8 bits has matrices in blocks of a scale and 32 bytes, halves rounded away from zero', () => {
    const block = Buffer.concat([halves(1), Buffer.from([127, 256 - 127, 3, 256 - 3]), Buffer.alloc(28)]);
    expect(quantize(header(F16), tensor('a.weight', F16, [32, 1], halves(...row)))).toEqual(
      Buffer.concat([header(2007), tensor('a.weight', Q8_0, [32, 1], block)]),
    );
  });

  it('a model in 8 bits has zeros for a block of zeros', () => {
    const zeros = tensor('a.weight', F16, [32, 2], halves(...Array<number>(64).fill(0)));
    expect(quantize(header(F16), zeros)).toEqual(
      Buffer.concat([header(2007), tensor('a.weight', Q8_0, [32, 2], Buffer.alloc(68))]),
    );
  });

  it.each([
    ['vectors', tensor('a.bias', 0, [2], Buffer.alloc(8, 1))],
    ['convolutions', tensor('encoder.conv1.weight', F16, [3, 2, 1], Buffer.alloc(12, 1))],
    ['positions', tensor('decoder.positional_embedding', F16, [32, 1], halves(...row))],
    ['matrices in 32 bits', tensor('encoder.positional_embedding', 0, [2, 1], Buffer.alloc(8, 1))],
  ])('a model in 8 bits keeps %s as they are', (_, kept) => {
    expect(quantize(header(F16), kept)).toEqual(Buffer.concat([header(2007), kept]));
  });

  it('a model in 8 bits is not made of something else', () => {
    expect(() => quantize(Buffer.alloc(100))).toThrow('not a model of whisper.cpp');
    expect(() => quantize(header(2007))).toThrow('not a model in 16 bits');
  });
});
