import { isUtf8 } from 'node:buffer';
import { nextTurnIfDue } from '@parley/queues';

/** A line of a file; quoted cells may contain line breaks. */
export interface CsvRecord {
  /** The number of the line on which it begins; the first is 1. */
  readonly line: number;
  /** Those within the limit. */
  readonly cells: readonly string[];
  /** The number of all of its cells. */
  readonly columns: number;
}

export interface CsvLimits {
  readonly recordBytesMax: number;
  /** Further cells are read, and not kept. */
  readonly columnsMax: number;
}

/** Describes what is wrong with a file. */
export class CsvProblem extends Error {}

const [NUL, LF, CR, QUOTE, COMMA] = [0x00, 0x0a, 0x0d, 0x22, 0x2c];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The lines of a file that are not empty (RFC 4180), while it arrives. Byte by byte, with one record in memory: what a file costs depends
 * on its size alone, and others are served meanwhile.
 */
export async function* csvRecords(pieces: AsyncIterable<Uint8Array>, limits: CsvLimits): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(limits);
  for await (const piece of pieces) {
    yield* reader.read(piece);
    const turn = nextTurnIfDue();
    if (turn) await turn;
  }
  yield* reader.end();
}

class CsvReader {
  readonly #limits: CsvLimits;
  /** The current record without its quotation marks, and where its cells end. */
  readonly #bytes: Buffer;
  #length = 0;
  #ends: number[] = [];
  #columns = 0;
  /** Its length with them. */
  #rawLength = 0;
  #beginning = 1;
  #line = 1;
  #isFirst = true;
  #before = NUL;
  #state: 'cell' | 'plain' | 'quoted' | 'quote' = 'cell';

  constructor(limits: CsvLimits) {
    this.#limits = limits;
    this.#bytes = Buffer.alloc(limits.recordBytesMax);
  }

  /** The records that end in a piece of the file. */
  read(piece: Uint8Array): CsvRecord[] {
    const records: CsvRecord[] = [];
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      const before = this.#before;
      this.#before = byte;
      if (byte === LF || byte === CR) {
        if (byte === CR || before !== CR) this.#line += 1;
        if (this.#state !== 'quoted') {
          if (this.#rawLength > 0) records.push(this.#takeRecord());
          this.#beginning = this.#line;
          continue;
        }
      }
      this.#add(byte);
    }
    return records;
  }

  /** A last record without a line break. */
  end(): CsvRecord[] {
    if (this.#state === 'quoted') throw misplacedQuote(this.#beginning);
    return this.#rawLength > 0 ? [this.#takeRecord()] : [];
  }

  #add(byte: number): void {
    if (byte === NUL) throw new CsvProblem('is not a text in UTF-8');
    const { recordBytesMax } = this.#limits;
    this.#rawLength += 1;
    if (this.#rawLength > recordBytesMax)
      throw new CsvProblem(`has a line of more than ${recordBytesMax} bytes (line ${this.#beginning})`);
    if (byte === QUOTE) {
      if (this.#state === 'plain') throw misplacedQuote(this.#line);
      // The second of two quotation marks in a quoted cell stands for one.
      if (this.#state === 'quote') this.#bytes[this.#length++] = byte;
      this.#state = this.#state === 'quoted' ? 'quote' : 'quoted';
      return;
    }
    if (byte === COMMA && this.#state !== 'quoted') this.#endCell();
    else if (this.#state === 'quote') throw misplacedQuote(this.#line);
    else if (this.#state === 'cell' && !this.#isInByteOrderMark(byte)) this.#state = 'plain';
    this.#bytes[this.#length++] = byte;
  }

  #isInByteOrderMark(byte: number): boolean {
    return this.#isFirst && this.#rawLength === this.#length + 1 && byte === BYTE_ORDER_MARK[this.#length];
  }

  #endCell(): void {
    this.#columns += 1;
    if (this.#columns <= this.#limits.columnsMax) this.#ends.push(this.#length);
    this.#state = 'cell';
  }

  #takeRecord(): CsvRecord {
    this.#endCell();
    const bytes = this.#bytes.subarray(0, this.#length);
    if (!isUtf8(bytes)) throw new CsvProblem('is not a text in UTF-8');
    const hasMark = this.#isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const ends = this.#ends;
    // Each cell but the first has the comma in front of it.
    const startOf = (cell: number) => (cell > 0 ? ends[cell - 1]! + 1 : hasMark ? BYTE_ORDER_MARK.length : 0);
    const cells = ends.map((end, cell) => bytes.toString('utf8', startOf(cell), end));
    const record = { line: this.#beginning, cells, columns: this.#columns };
    [this.#length, this.#ends, this.#columns, this.#rawLength, this.#isFirst] = [0, [], 0, 0, false];
    return record;
  }
}

function misplacedQuote(line: number): CsvProblem {
  return new CsvProblem(`is not CSV: a quotation mark is not in its place (line ${line})`);
}
