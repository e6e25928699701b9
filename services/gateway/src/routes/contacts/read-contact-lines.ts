import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, Refused } from '@parley/errors';
import type { ContactImportLineSchema } from '@parley/proto/directory/v1/contact_imports_pb';
import { CsvProblem, type CsvRecord, csvRecords } from '../shared/csv-records.ts';
import { uncoveredCell } from '../shared/csv-row.ts';

export type ContactLine = MessageInitShape<typeof ContactImportLineSchema> & { line: number; phone: string };

/** Columns that are imported, by their names in the header, and how they are called in a message. */
const FIELDS = { phone: 'phone', name: 'name', email: 'email', company_name: 'companyName', note: 'note' } as const;

const LINES_MAX = 50_000;
const COLUMNS_MAX = 100;
/** A note has 10,000 characters at most. */
const LINE_BYTES_MAX = 64 * 1024;

/** The lines of a file of contacts, while it arrives; throws what is wrong with the file as a whole. */
export async function* readContactLines(file: AsyncIterable<Uint8Array>): AsyncGenerator<ContactLine> {
  let columns: Columns | undefined;
  let count = 0;
  try {
    for await (const record of csvRecords(file, { recordBytesMax: LINE_BYTES_MAX, columnsMax: COLUMNS_MAX })) {
      if (!columns) {
        columns = columnsOf(record);
        continue;
      }
      count += 1;
      if (count > LINES_MAX) throw refusedFile(`has more than ${LINES_MAX} lines`);
      const cells = columns.map(([field, index]) => [field, uncoveredCell(record.cells[index] ?? '')] as const);
      yield { line: record.line, phone: '', ...Object.fromEntries(cells) };
    }
  } catch (error) {
    throw error instanceof CsvProblem ? refusedFile(error.message) : error;
  }
  if (!columns) throw refusedFile('has no header');
}

type Columns = readonly (readonly [field: (typeof FIELDS)[keyof typeof FIELDS], index: number])[];

function columnsOf(header: CsvRecord): Columns {
  if (header.columns > COLUMNS_MAX) throw refusedFile(`has more than ${COLUMNS_MAX} columns`);
  const names = header.cells.map((name) => name.trim().toLowerCase());
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
