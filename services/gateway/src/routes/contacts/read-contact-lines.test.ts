import { describe, expect, it } from '@jest/globals';
import { Refused } from '@parley/errors';
import { csvRow } from '../shared/csv-row.ts';
import { readContactLines } from './read-contact-lines.ts';

const read = (text: string | Buffer) => Array.fromAsync(readContactLines(Buffer.from(text)));
const problemOf = async (text: string | Buffer) => {
  const error = await read(text).catch((caught: unknown) => caught);
  if (!(error instanceof Refused)) throw new Error('was not refused');
  return error.refusal.fields?.['body']?.[0];
};

describe('a file of contacts', () => {
  it('is read with a byte order mark, quotes, line breaks in them and any line ends', async () => {
    const file =
      '\ufeffName,PHONE ,Shoe size\r\n"Ane ""A"" Vinter",20304050,42\r\n"two\r\nlines",+4520,1\n\nlast,3\r\n';
    expect(await read(file)).toEqual([
      { line: 2, phone: '20304050', name: 'Ane "A" Vinter' },
      { line: 3, phone: '+4520', name: 'two\r\nlines' },
      { line: 6, phone: '3', name: 'last' },
    ]);
  });

  it('leaves out columns that are not there, and has cells that are not there empty', async () => {
    expect(await read('phone,email,company_name,note\n1\n2,a@b.c,,x\n')).toEqual([
      { line: 2, phone: '1', email: '', companyName: '', note: '' },
      { line: 3, phone: '2', email: 'a@b.c', companyName: '', note: 'x' },
    ]);
  });

  it('is what an export has written, whatever the texts begin with', async () => {
    const names = ['=1+1', "'=1+1", "''@x", '-5', "O'Brien", "'quoted'", '+45 20 30', '\tx', 'a,"b"\r\nc'];
    const file = csvRow(['phone', 'name']) + names.map((name) => csvRow(['+4520304050', name])).join('');
    expect((await read(file)).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['', 'has no header'],
    ['name,email\nx,y\n', 'has no column phone'],
    ['phone,name,Phone\n1,2,3\n', 'has the column phone twice'],
    [`phone${',x'.repeat(10_000)}\n1\n`, 'has more than 100 columns'],
    ['phone\n"1\n2\n', 'is not CSV: a quotation mark is not in its place (line 3)'],
    ['phone,name\n1,x"y\n', 'is not CSV: a quotation mark is not in its place (line 2)'],
    [`phone,note\n1,${'x'.repeat(1024 * 1024)}\n`, 'has a line of more than 65536 bytes (line 2)'],
    ['phone\n1\0\n', 'is not a text in UTF-8'],
    [Buffer.from([0x70, 0xff, 0x0a]), 'is not a text in UTF-8'],
    [`phone\n${'1\n'.repeat(50_001)}`, 'has more than 50000 lines'],
  ])('%# is refused as a whole: %j', async (file, problem) => {
    expect(await problemOf(file)).toBe(problem);
  });
});
