import { describe, expect, it } from '@jest/globals';
import { Refused } from '@parley/errors';
import { longestStepMs } from '@parley/testkit/event-loop-steps';
import { csvRow } from '../shared/csv-row.ts';
import { readContactLines } from './read-contact-lines.ts';

/** In pieces of a size that divides characters, line breaks and quotation marks. */
async function* pieces(file: Buffer, bytes = 3): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += bytes) yield file.subarray(at, at + bytes);
}
const read = (text: string | Buffer) => Array.fromAsync(readContactLines(pieces(Buffer.from(text))));
const problemOf = async (text: string | Buffer) => {
  const error = await read(text).catch((caught: unknown) => caught);
  if (!(error instanceof Refused)) throw new Error('was not refused');
  return error.refusal.fields?.['body']?.[0];
};

describe('a file of contacts', () => {
  it('a file of contacts is read with a byte order mark, quotes, line breaks in them and any line ends', async () => {
    const file =
      '\ufeffName,PHONE ,Shoe size\r\n"Ane ""A"" Vinter",20304050,42\r\n"two\r\nlines",+4520,1\n\nlast,3\r\n';
    expect(await read(file)).toEqual([
      { line: 2, phone: '20304050', name: 'Ane "A" Vinter' },
      { line: 3, phone: '+4520', name: 'two\r\nlines' },
      { line: 6, phone: '3', name: 'last' },
    ]);
  });

  it('a file of contacts leaves out columns that are not there, and has cells that are not there empty', async () => {
    expect(await read('phone,email,company_name,note\n1\n2,a@b.c,,x\n')).toEqual([
      { line: 2, phone: '1', email: '', companyName: '', note: '' },
      { line: 3, phone: '2', email: 'a@b.c', companyName: '', note: 'x' },
    ]);
  });

  it('a file of contacts is what an export has written, whatever the texts begin with', async () => {
    const names = ['=1+1', "'=1+1", "''@x", '-5', "O'Brien", "'quoted'", '+45 20 30', '\tx', 'a,"b"\r\nc'];
    const file = csvRow(['phone', 'name']) + names.map((name) => csvRow(['+4520304050', name])).join('');
    expect((await read(file)).map(({ name }) => name)).toEqual(names);
  });

  it('a file of contacts has quoted cells after a byte order mark, and keeps no cells that have no column', async () => {
    expect(await read(`\ufeff"phone"\r1${',x'.repeat(1000)}\r"""2"""\r`)).toEqual([
      { line: 2, phone: '1' },
      { line: 3, phone: '"2"' },
    ]);
  });

  it.each([
    ['16 MB of line ends', '\n'.repeat(16 * 1024 * 1024)],
    ['240 lines of 65,000 commas', `${','.repeat(65_000)}\n`.repeat(240)],
    ['50,000 lines with quotation marks', `1,"${'""'.repeat(150)}"\n`.repeat(50_000)],
    ['300 long notes', `1,${'🙂'.repeat(10_000)}\n`.repeat(300)],
  ])('a file of contacts of %s leaves the event loop to others', async (_what, lines) => {
    const file = Buffer.from(`phone,note\n${lines}`);
    const reading = async () => {
      for await (const _ of readContactLines(pieces(file, 64 * 1024)));
    };
    expect(await longestStepMs(reading)).toBeLessThan(50);
  });

  it.each([
    ['', 'has no header'],
    ['name,email\nx,y\n', 'has no column phone'],
    ['phone,name,Phone\n1,2,3\n', 'has the column phone twice'],
    [`phone${',x'.repeat(10_000)}\n1\n`, 'has more than 100 columns'],
    ['phone\n"1""\n2\n', 'is not CSV: a quotation mark is not in its place (line 2)'],
    ['phone,name\n1,"x"y\n', 'is not CSV: a quotation mark is not in its place (line 2)'],
    ['phone,name\n1,x"y\n', 'is not CSV: a quotation mark is not in its place (line 2)'],
    [`phone,note\n1,${'x'.repeat(1024 * 1024)}\n`, 'has a line of more than 65536 bytes (line 2)'],
    ['phone\n1\0\n', 'is not a text in UTF-8'],
    [Buffer.from([0x70, 0x2c, 0xc3, 0x2c, 0xb8, 0x0a]), 'is not a text in UTF-8'],
    [Buffer.from([0x70, 0xff, 0x0a]), 'is not a text in UTF-8'],
    [`phone\n${'1\n'.repeat(50_001)}`, 'has more than 50000 lines'],
  ])('the file %# is refused as a whole: %j', async (file, problem) => {
    expect(await problemOf(file)).toBe(problem);
  });
});
