import { JSON_TYPE, type StreamResponse } from './response.ts';

/** Large enough that a write costs little per item, small enough that a slow client holds little memory. */
const TEXT_LENGTH = 32 * 1024;

/**
 * A 200 response whose JSON array, of items that come some at a time, is never held in memory as a whole:
 * `streamArray(employees, employeeJson, { before: '{"employees":', after: '}' })`.
 */
export function streamArray<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
  around: { before?: string; after?: string } = {},
): StreamResponse<200> {
  const { before = '', after = '' } = around;
  return {
    kind: 'stream',
    status: 200,
    headers: { 'Content-Type': JSON_TYPE },
    stream: arrayTexts(chunks, toJson, `${before}[`, `]${after}`),
    list: {
      items: arrayItems(chunks, toJson),
      get empty() {
        return JSON.parse(`${before}[]${after}`) as unknown;
      },
    },
  };
}

async function* arrayItems<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
): AsyncGenerator<unknown> {
  for await (const chunk of chunks) for (const item of chunk) yield toJson(item);
}

async function* arrayTexts<Item>(
  chunks: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toJson: (item: Item) => unknown,
  open: string,
  close: string,
): AsyncGenerator<string> {
  let text = open;
  let separator = '';
  for await (const chunk of chunks) {
    for (const item of chunk) {
      text += separator + JSON.stringify(toJson(item));
      separator = ',';
    }
    if (text.length >= TEXT_LENGTH) {
      yield text;
      text = '';
    }
  }
  yield text + close;
}
