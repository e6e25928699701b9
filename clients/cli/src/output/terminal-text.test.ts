import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { table } from './table.ts';
import { printable, printableJson, printableLines } from './terminal-text.ts';

const ESCAPES = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eabc\u0000\r';
/** What a terminal obeys, and what changes the order of what it shows. */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

describe('a text of a server', () => {
  it('a text of a server is shown with its escape sequences as text', () => {
    expect(printable('Ane \u001b[31m☎')).toBe('Ane \\u001b[31m☎');
    expect(printable('two\nlines')).toBe('two\\u000alines');
    expect(printableLines('a\r\nb\tc\u001b')).toBe('a\nb\tc\\u001b');
  });

  it('a text of a server never has a character that a terminal obeys, in lines, tables and JSON', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant(ESCAPES)), (text) => {
        expect(printable(text)).not.toMatch(OBEYED);
        expect(printableLines(text).replaceAll('\t', ' ')).not.toMatch(OBEYED);
        expect(table(['A'], [[text]])).not.toMatch(OBEYED);
        const value = { [text]: [text] };
        expect(printableJson(value, 2)).not.toMatch(OBEYED);
        expect(JSON.parse(printableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a table', () => {
  it('a table has columns that are as wide as their widest cell, also with wide characters', () => {
    const lines = table(
      ['NAME', 'N'],
      [
        ['Ane', 1],
        ['電話', null],
        ['\u{1f469}\u200d\u{1f4bb}', 22],
      ],
    );
    expect(lines).toBe('NAME  N\nAne   1\n電話\n\u{1f469}\u200d\u{1f4bb}    22\n');
  });

  it('a table cuts what is too long for a line, between characters', () => {
    const [, row = ''] = table(['TEXT'], [['\u{1f469}\u200d\u{1f4bb}'.repeat(1000)]]).split('\n');
    expect(row.length).toBeLessThanOrEqual(61);
    expect(row).toMatch(/^(?:\u{1f469}\u200d\u{1f4bb})+…$/u);
  });
});
