export const PAGE = 500;

/**
 * A list of any length, a query for each page: a single one would take longer than a query may. `read` answers at most
 * `PAGE`, in an order that never changes, after the last one of the page before.
 */
export async function* pages<T>(read: (after: T | undefined) => AsyncIterable<T>): AsyncIterable<T[]> {
  for (let last: T | undefined; ;) {
    const page = await Array.fromAsync(read(last));
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1);
  }
}
