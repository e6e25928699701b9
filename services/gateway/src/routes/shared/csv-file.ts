import { stream } from '@parley/http';
import type { FileContent } from '@parley/proto/directory/v1/exports_pb';
import type { EmployeePrincipal, RpcOptions } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { csvRow } from './csv-row.ts';
import { openList } from './long-list.ts';

/** A name and its cells; null and undefined become an empty one. */
export type CsvColumn<Item> = readonly [
  name: string,
  cellOf: (item: Item) => string | number | boolean | null | undefined,
];

interface CsvFile<Message, Item> {
  readonly content: FileContent;
  readonly name: string;
  /** The filters that were used, by their names in the API. */
  readonly filter?: Readonly<Record<string, string | undefined>>;
  readonly columns: readonly CsvColumn<Item>[];
  read(options: RpcOptions): AsyncIterable<Message>;
  itemsOf(message: Message): readonly Item[];
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
  return stream(200, 'text/csv; charset=utf-8', lines(file.columns, chunks), headers);
}

async function* lines<Item>(
  columns: readonly CsvColumn<Item>[],
  chunks: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield csvRow(columns.map(([name]) => name));
  const line = (item: Item) => csvRow(columns.map(([, cellOf]) => String(cellOf(item) ?? '')));
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk.map(line).join('');
}
