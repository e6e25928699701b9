import { describe, expect, it } from '@jest/globals';
import { plainLine } from './plain-line.ts';

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
