import { ServerError } from './errors.ts';

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Where the next page begins; null after the last one, unless the list goes on as events do. */
  readonly nextCursor: string | null;
  /** The whole body of the response, with the fields around the list. */
  readonly body: unknown;
  /** The next page; undefined after the last one. */
  nextPage(): Promise<Page<Item> | undefined>;
}

/** A page as it was read. */
export interface ReadPage<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly body: unknown;
}

/** Reads the page at a cursor; the first one without. */
export type PageReader<Item> = (cursor?: string) => Promise<ReadPage<Item>>;

/**
 * A list: `await` gives its first page, `for await` every item of all pages. The first request is sent when either begins.
 */
export class PagePromise<Item> implements Promise<Page<Item>>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'PagePromise';
  readonly #read: PageReader<Item>;
  #first: Promise<Page<Item>> | undefined;

  constructor(read: PageReader<Item>) {
    this.#read = read;
  }

  // oxlint-disable-next-line no-thenable -- it is a promise of its first page
  then<Result1 = Page<Item>, Result2 = never>(
    onResolved?: ((page: Page<Item>) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.#firstPage().then(onResolved, onRejected);
  }

  catch<Result = never>(
    onRejected?: ((reason: unknown) => Result | PromiseLike<Result>) | null,
  ): Promise<Page<Item> | Result> {
    return this.#firstPage().catch(onRejected);
  }

  finally(onSettled?: (() => void) | null): Promise<Page<Item>> {
    return this.#firstPage().finally(onSettled);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: Page<Item> | undefined = await this.#firstPage(); page; page = await page.nextPage())
      yield* page.data;
  }

  #firstPage(): Promise<Page<Item>> {
    this.#first ??= readPage(this.#read, undefined);
    return this.#first;
  }
}

async function readPage<Item>(read: PageReader<Item>, cursor: string | undefined): Promise<Page<Item>> {
  const { data, nextCursor, hasMore, body } = await read(cursor);
  return {
    data,
    nextCursor,
    body,
    async nextPage() {
      if (!hasMore || nextCursor === null) return undefined;
      if (nextCursor === cursor) throw endlessList();
      return readPage(read, nextCursor);
    },
  };
}

export function endlessList(): ServerError {
  return new ServerError('the list does not end: a page has its own cursor as the next');
}
