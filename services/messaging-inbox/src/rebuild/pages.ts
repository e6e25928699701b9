export const PAGE = 500;

/**
 * A list of any length, a query for each page: a single one would take longer than a query may. `read` answers at most
 * `PAGE`, in an order that never changes, after the last one of the page before.
 */
export async function* pages<T>(
  read: (after: T | undefined) => AsyncIterable<T> | Promise<readonly T[]>,
): AsyncIterable<T[]> {
  for (let last: T | undefined; ;) {
    const page = await Array.fromAsync(await read(last));
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1);
  }
}

/** The same items in groups of a size, so that short parts cost no more than long ones. */
export async function* inGroupsOf<T>(size: number, parts: AsyncIterable<readonly T[]>): AsyncIterable<T[]> {
  let group: T[] = [];
  for await (const part of parts) {
    for (const item of part) {
      group.push(item);
      if (group.length < size) continue;
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
