import { stream } from '@parley/http';
import { csvRow } from './csv-row.ts';

/** Null and undefined become an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/** A file of a line for its columns and one for each item, of any length: it is made as fast as it is read. */
export function csvFile<Item>(
  fileName: string,
  columns: readonly string[],
  chunks: AsyncIterable<readonly Item[]>,
  cellsOf: (item: Item) => readonly CsvCell[],
) {
  const headers = { 'Content-Disposition': `attachment; filename="${fileName}"` };
  return stream(200, 'text/csv; charset=utf-8', lines(columns, chunks, cellsOf), headers);
}

async function* lines<Item>(
  columns: readonly string[],
  chunks: AsyncIterable<readonly Item[]>,
  cellsOf: (item: Item) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield csvRow(columns);
  const line = (item: Item) => csvRow(cellsOf(item).map((cell) => String(cell ?? '')));
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk.map(line).join('');
}
