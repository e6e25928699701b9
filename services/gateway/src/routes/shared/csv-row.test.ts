import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvRow, uncoveredCell } from './csv-row.ts';

describe('a line of CSV', () => {
  it.each([
    [['a', 'b'], 'a,b\r\n'],
    [['', 'x, y', 'say "hi"', 'two\nlines'], ',"x, y","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+x', '-1', '@x', '\tx'], "'=1+1,'+x,'-1,'@x,'\tx\r\n"],
    [['', '+4520304050', '+45 20 30 40 50', '+45+1', '+45\n'], `,+4520304050,+45 20 30 40 50,'+45+1,"'+45\n"\r\n`],
    [['=HYPERLINK("a")'], `"'=HYPERLINK(""a"")"\r\n`],
    // A spreadsheet that splits by semicolons sees further cells, and does not see the quotation marks of ours.
    [['Ane;=1+1', 'a;b', 'x\t@y'], "Ane;'=1+1,a;b,x\t'@y\r\n"],
    [['Ane; \u200b"-1', 'one\n- two'], `"Ane;' \u200b""-1","one\n'- two"\r\n`],
    [['\uff1d1', ' \uff0b1', '\uff0d1', '\ufeff\uff20x'], "'\uff1d1,' \uff0b1,'\uff0d1,'\ufeff\uff20x\r\n"],
    // The whole line may be a cell, so its beginning is no phone number.
    [['+4520304050', 'x'], "'+4520304050,x\r\n"],
  ])('a line of CSV of %j is %j', (cells, expected) => expect(csvRow(cells)).toBe(expected));
});

/** The cells that a spreadsheet makes of a file. Quotation marks count at the beginning of a cell, or anywhere. */
function spreadsheetCells(file: string, separator: string, quotes: 'first' | 'anywhere'): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isNew] = ['', false, true];
  for (let at = 0; at < file.length; at += 1) {
    const char = file[at]!;
    if (isQuoted && char === '"' && file[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted && char === '"') isQuoted = false;
    else if (!isQuoted && char === '"' && (isNew || quotes === 'anywhere')) [isQuoted, isNew] = [true, false];
    else if (!isQuoted && [separator, '\r', '\n'].includes(char)) {
      cells.push(cell);
      [cell, isNew] = ['', true];
    } else [cell, isNew] = [cell + char, false];
  }
  return [...cells, cell];
}

const texts = fc.array(
  fc.constantFrom(...';,\t\r\n"\' =+-@\uff1d\uff0b\uff0d\uff20\u200b\u00a0\ufeff\u202ea1', '+45 20304050', '""'),
  { maxLength: 12 },
);
const rows = fc.array(
  fc.array(
    texts.map((parts) => parts.join('')),
    { minLength: 1, maxLength: 5 },
  ),
  { maxLength: 4 },
);
const IGNORED = /^[\s\p{C}]+/u;
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PHONE_NUMBER = /^\+\d[\d ]*$/;

describe('a file of CSV', () => {
  it.each([',', ';', '\t'])(
    'a file of CSV has no cell that is a formula where a spreadsheet splits by %j',
    (separator) => {
      fc.assert(
        fc.property(rows, fc.constantFrom('first' as const, 'anywhere' as const), (lines, quotes) => {
          const file = lines.map((line) => csvRow(['id', ...line])).join('');
          const formulas = spreadsheetCells(file, separator, quotes)
            .filter((cell) => !PHONE_NUMBER.test(cell))
            .filter((cell) => FORMULA.test(cell.replace(IGNORED, '')));
          expect(formulas).toEqual([]);
        }),
        { numRuns: 3000 },
      );
    },
  );

  it('a file of CSV is read as it was written', () => {
    fc.assert(
      fc.property(rows, (lines) => {
        for (const line of lines) {
          const read = spreadsheetCells(csvRow(line), ',', 'first').slice(0, line.length);
          expect(read.map(uncoveredCell)).toEqual(line);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
