import { stream } from '@parley/http';
import type { FileContent } from '@parley/proto/directory/v1/exports_pb';
import type { EmployeePrincipal, RpcOptions } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { csvRow } from './csv-row.ts';
import { openList } from './long-list.ts';

/** Null and undefined become an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

interface CsvFile<Message, Item> {
  readonly content: FileContent;
  readonly name: string;
  /** The filters that were used, by their names in the API. */
  readonly filter?: Readonly<Record<string, string | undefined>>;
  readonly columns: readonly string[];
  read(options: RpcOptions): AsyncIterable<Message>;
  itemsOf(message: Message): readonly Item[];
  cellsOf(item: Item): readonly CsvCell[];
}

/**
 * A file of a line for its columns and one for each item, of any length: it is made as fast as it is read. That it is downloaded is in
 * the audit log before its first byte.
 */
export async function csvFile<Message, Item>(
  { exports }: Pick<Clients, 'exports'>,
  request: { context: EmployeePrincipal; requestId: string },
  file: CsvFile<Message, Item>,
) {
  const { content, name, filter = {} } = file;
  const used = Object.entries(filter).flatMap(([field, value]) => (value ? [[field, value] as const] : []));
  const download = { content, name, filter: Object.fromEntries(used) };
  const record = () => exports.recordFileDownload(download, { as: request.context });
  const chunks = await openList(request, file.read, file.itemsOf, record);
  const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
  return stream(200, 'text/csv; charset=utf-8', lines(file, chunks), headers);
}

async function* lines<Item>(
  { columns, cellsOf }: Pick<CsvFile<never, Item>, 'columns' | 'cellsOf'>,
  chunks: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield csvRow(columns);
  const line = (item: Item) => csvRow(cellsOf(item).map((cell) => String(cell ?? '')));
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk.map(line).join('');
}
