import type { ExportPersonResponse } from '@parley/proto/privacy/v1/personal_data_pb';
import type { Person } from './erasure.ts';

/** A file of an export. Its content is read before the next file is asked for. */
export interface ExportedFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export type ExportPerson = (person: Person) => AsyncIterable<ExportedFile>;

/** A file with a JSON array; the items are written as they come. */
export function jsonFile(name: string, items: AsyncIterable<object>): ExportedFile {
  async function* content() {
    let isFirst = true;
    for await (const item of items) {
      yield Buffer.from(`${isFirst ? '[\n' : ',\n'}${JSON.stringify(item, null, 2)}`);
      isFirst = false;
    }
    yield Buffer.from(isFirst ? '[]\n' : '\n]\n');
  }
  return { name, content: content() };
}

const PART_BYTES = 64 * 1024;

/** Files as messages of a stream. */
export async function* messagesOf(
  files: AsyncIterable<ExportedFile>,
): AsyncGenerator<{ file?: string; data?: Uint8Array }> {
  for await (const { name, content } of files) {
    yield { file: name };
    for await (const bytes of content)
      for (let at = 0; at < bytes.length; at += PART_BYTES) yield { data: bytes.subarray(at, at + PART_BYTES) };
  }
}

/** The files in such messages. */
export async function* filesIn(
  messages: AsyncIterable<Pick<ExportPersonResponse, 'file' | 'data'>>,
): AsyncGenerator<ExportedFile> {
  const reader = messages[Symbol.asyncIterator]();
  let next = await reader.next();
  async function* content() {
    for (next = await reader.next(); !next.done && next.value.file === ''; next = await reader.next())
      yield next.value.data;
  }
  try {
    while (!next.done) {
      const file = { name: next.value.file, content: content() };
      yield file;
      // Unread content is skipped.
      // oxlint-disable-next-line no-unused-vars
      for await (const _rest of file.content);
    }
  } finally {
    await reader.return?.();
  }
}
