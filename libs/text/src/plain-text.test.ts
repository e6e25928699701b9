import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { plainLine, plainText } from './plain-text.ts';

/** Texts with many of the characters that matter, in every order. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'),
      fc.constantFrom(
        '\r\n',
        '\r',
        '\n',
        '\t',
        '\u0000',
        '\u001b[31m',
        '\u007f',
        '\u0085',
        '\u009b',
        '\ud800',
        '\udc00',
      ),
      fc.constantFrom('a', ' ', 'عمر', '\u200f', '👩\u200d👧', 'שלום', '🏳️\u200d🌈'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''));

/** Directions that are still open at the end, and ends of nothing. */
function unbalanced(text: string): number {
  const open: string[] = [];
  let strays = 0;
  for (const mark of text.match(/[\u202a-\u202e\u2066-\u2069]/g) ?? [])
    if ('\u202c\u2069'.includes(mark)) strays += open.pop() === mark ? 0 : 1;
    else open.push(mark >= '\u2066' ? '\u2069' : '\u202c');
  return strays + open.length;
}

describe('a plain text', () => {
  it.each([
    ['Open \u202egpj.exe', 'Open \u202egpj.exe\u202c'],
    ['\u202ea\u2067b', '\u202ea\u2067b\u2069\u202c'],
    ['\u2067a\u202eb\u2069c', '\u2067a\u202eb\u202c\u2069c'],
    ['a\u202cb\u2069c', 'abc'],
    ['\u2067a\u202cb', '\u2067ab\u2069'],
    ['a\u0000b\u0007c\u001b[31md\u007f\u009be', 'abc[31mde'],
    ['one\r\ntwo\rthree\nfour\u0085five', 'one\ntwo\nthree\nfour\nfive'],
    ['a\tb', 'a b'],
    ['\ud800x', '\ufffdx'],
    ['\u0000\u001b', ''],
  ])('a plain text of %j is %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it.each(['\u200fعمر\u200f (a)', '👩\u200d👧 Zoë', '\u2067שלום\u2069, hi', 'one\n\ntwo', ' two  spaces '])(
    'a plain text that is plain already stays as it is: %j',
    (text) => {
      expect(plainText(text)).toBe(text);
    },
  );

  it('a plain text has no control characters but line breaks, only balanced directions and whole characters, whatever it was made of', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = plainText(text);
        expect(plain).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(unbalanced(plain)).toBe(0);
        expect(plain.isWellFormed()).toBe(true);
        expect(plainText(plain)).toBe(plain);
      }),
      { numRuns: 1000 },
    );
  });

  it('a plain text in one line has neither control characters nor directions, whatever it was made of', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const line = plainLine(text);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(plainLine(line)).toBe(line);
        expect(plainText(line)).toBe(line);
      }),
      { numRuns: 1000 },
    );
  });

  it('a plain text takes a time that grows with its length only', () => {
    const marks = '\u202e\u2069\u2067\u202c'.repeat(25_000);
    const before = performance.now();
    plainText(marks);
    plainText('\u202e'.repeat(200_000) + '\u2069'.repeat(200_000));
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

describe('a plain line', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Acme\u202egnp.exe', 'Acmegnp.exe'],
    ['\u202aa\u202bb\u202cc\u202dd\u2066e\u2067f\u2068g\u2069', 'abcdefg'],
    ['a\u0000b\u0007c\u001b[31md\u007f\u009be', 'abc[31mde'],
    ['Ada\r\nBcc: eve', 'Ada Bcc: eve'],
    ['a\tb\u2028c\u2029d\u0085e', 'a b c d e'],
    ['\u0000\u202e', ''],
    [' two  spaces ', ' two  spaces '],
    // An Arabic name with its mark, and an emoji with joiners.
    ['\u200fعمر\u200f', '\u200fعمر\u200f'],
    ['👩\u200d👧 Zoë', '👩\u200d👧 Zoë'],
  ])('a plain line of %j is %j', (text, expected) => {
    expect(plainLine(text)).toBe(expected);
    expect(plainLine(plainLine(text))).toBe(expected);
  });
});
