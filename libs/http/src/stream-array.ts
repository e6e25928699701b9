import { JSON_TYPE, type StreamAnswer } from './answer.ts';

/** Large enough that a write costs little per item, small enough that a slow client holds little memory. */
const CHUNK_CHARACTERS = 32 * 1024;

/**
 * A 200 answer whose JSON array is never held in memory as a whole:
 * `streamArray(employees, employeeJson, { before: '{"employees":', after: '}' })`.
 */
export function streamArray<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  toJson: (item: Item) => unknown,
  around: { before?: string; after?: string } = {},
): StreamAnswer<200> {
  const { before = '', after = '' } = around;
  return {
    kind: 'stream',
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    stream: arrayChunks(items, toJson, `${before}[`, `]${after}`),
  };
}

async function* arrayChunks<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  toJson: (item: Item) => unknown,
  open: string,
  close: string,
): AsyncGenerator<string> {
  let chunk = open;
  let separator = '';
  for await (const item of items) {
    chunk += separator + JSON.stringify(toJson(item));
    separator = ',';
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk + close;
}
