/**
 * The items of `source` until the signal aborts. It does not wait for an item that may never come: a source that is
 * still running then is requested to return, without waiting for it.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let wake: (() => void) | undefined;
  const abort = () => wake?.();
  signal.addEventListener('abort', abort, { once: true });
  // A promise for each item alone: racing one for the whole stream would retain every item until its end.
  const nextOrAbort = () =>
    new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
      wake = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
  let exhausted = false;
  try {
    while (!signal.aborted) {
      const item = await nextOrAbort();
      if (item === undefined || signal.aborted) return;
      exhausted = item.done === true;
      if (item.done) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A generator runs its `finally` once the item it is at has come; waiting for that here could take forever.
    if (!exhausted) void iterator.return?.().catch(() => undefined);
  }
}
