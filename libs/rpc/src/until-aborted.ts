/**
 * The items of `source` until the signal aborts. It does not wait for an item that may never come: a source that is
 * still at work then is told to finish, and left alone.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<{ done: true; value: undefined }>();
  const abort = () => aborted.resolve({ done: true, value: undefined });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  let exhausted = false;
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined); // it may fail when nobody waits for it any longer
      const item = await Promise.race([aborted.promise, next]);
      if (signal.aborted) return;
      exhausted = item.done === true;
      if (item.done) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A generator runs its `finally` once the item it is at has come; waiting for that here could be for ever.
    if (!exhausted) void iterator.return?.().catch(() => undefined);
  }
}
