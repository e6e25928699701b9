import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, Refused } from '@parley/errors';
import type { ContactImportLineSchema } from '@parley/proto/directory/v1/contact_imports_pb';
import { CsvError, parse } from 'csv-parse';
import { uncoveredCell } from '../shared/csv-row.ts';

export type ContactLine = MessageInitShape<typeof ContactImportLineSchema> & { line: number; phone: string };

/** Columns that are imported, by their names in the header, and how they are called in a message. */
const FIELDS = { phone: 'phone', name: 'name', email: 'email', company_name: 'companyName', note: 'note' } as const;

const LINES_MAX = 50_000;
const COLUMNS_MAX = 100;
/** A note has 10,000 characters at most. */
const LINE_BYTES_MAX = 64 * 1024;
const CHUNK_BYTES = 32 * 1024;
const breaksIn = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** The lines of a file of contacts (RFC 4180); throws what is wrong with the file as a whole. */
export async function* readContactLines(file: Buffer): AsyncGenerator<ContactLine> {
  if (!isUtf8(file) || file.includes(0)) throw refusedFile('is not a text in UTF-8');
  const rows = Readable.from(chunksOf(file)).pipe(
    parse({
      bom: true,
      info: true,
      max_record_size: LINE_BYTES_MAX,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  ) as AsyncIterable<{ record: string[]; info: { bytes: number } }>;
  let columns: Columns | undefined;
  let [count, line, offset] = [0, 1, 0];
  try {
    for await (const { record, info } of rows) {
      // Empty lines may be in front of it, and line breaks in its quotes.
      const written = file.toString('latin1', offset, info.bytes);
      const beginning = line + breaksIn(/^[\r\n]*/.exec(written)?.[0] ?? '');
      line += breaksIn(written);
      offset = info.bytes;
      if (!columns) {
        columns = columnsOf(record);
        continue;
      }
      count += 1;
      if (count > LINES_MAX) throw refusedFile(`has more than ${LINES_MAX} lines`);
      const cells = columns.map(([field, index]) => [field, uncoveredCell(record[index] ?? '')] as const);
      yield { line: beginning, phone: '', ...Object.fromEntries(cells) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    throw refusedFile(
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `has a line of more than ${LINE_BYTES_MAX} bytes (line ${lines})`
        : `is not CSV: a quotation mark is not in its place (line ${lines})`,
    );
  }
  if (!columns) throw refusedFile('has no header');
}

/** Other requests are served between two of them. */
function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += CHUNK_BYTES) yield file.subarray(at, at + CHUNK_BYTES);
}

type Columns = readonly (readonly [field: (typeof FIELDS)[keyof typeof FIELDS], index: number])[];

function columnsOf(header: readonly string[]): Columns {
  if (header.length > COLUMNS_MAX) throw refusedFile(`has more than ${COLUMNS_MAX} columns`);
  const names = header.map((name) => name.trim().toLowerCase());
  const twice = Object.keys(FIELDS).find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw refusedFile(`has the column ${twice} twice`);
  if (!names.includes('phone')) throw refusedFile('has no column phone');
  return Object.entries(FIELDS).flatMap(([name, field]) => {
    const index = names.indexOf(name);
    return index < 0 ? [] : [[field, index] as const];
  });
}

function refusedFile(problem: string): Refused {
  return new Refused(invalid({ body: [problem] }));
}
