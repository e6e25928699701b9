import { describe, expect, it } from '@jest/globals';
import { csvRow } from './csv-row.ts';

describe('a line of CSV', () => {
  it.each([
    [['a', 'b'], 'a,b\r\n'],
    [['', 'x, y', 'say "hi"', 'two\nlines'], ',"x, y","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+x', '-1', '@x', '\tx'], "'=1+1,'+x,'-1,'@x,'\tx\r\n"],
    [['+4520304050', '+45 20 30 40 50', '+45+1', '+45\n'], `+4520304050,+45 20 30 40 50,'+45+1,"'+45\n"\r\n`],
    [['=HYPERLINK("a")'], `"'=HYPERLINK(""a"")"\r\n`],
  ])('of %j is %j', (cells, expected) => expect(csvRow(cells)).toBe(expected));
});
