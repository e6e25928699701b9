import { setImmediate } from 'node:timers/promises';
import { context } from '@opentelemetry/api';
import { type RpcOptions, type EmployeePrincipal, type OperatorPrincipal, withRequestScope } from '@parley/rpc';

/** A long list lasts as long as its reader takes for it, within reason; the deadline of ordinary requests would cut it. */
const LIST_TIME_MAX_MS = 10 * 60_000;

/**
 * Opens a stream of items and waits for the first, and for `onOpened`, so that a failure is still an error response and not a broken
 * list.
 */
export async function openList<Message, Item>(
  { context: as, requestId }: { context: EmployeePrincipal | OperatorPrincipal; requestId: string },
  call: (options: RpcOptions) => AsyncIterable<Message>,
  itemsOf: (message: Message) => readonly Item[],
  onOpened: () => Promise<unknown> = async () => {},
): Promise<AsyncIterable<readonly Item[]>> {
  const scope = { deadline: Date.now() + LIST_TIME_MAX_MS, requestId };
  return context.with(withRequestScope(context.active(), scope), async () => {
    const iterator = call({ as, timeoutMs: LIST_TIME_MAX_MS })[Symbol.asyncIterator]();
    const first = await iterator.next();
    try {
      await onOpened();
    } catch (error) {
      await iterator.return?.();
      throw error;
    }
    return (async function* () {
      try {
        for (let next = first; !next.done; next = await iterator.next()) {
          yield itemsOf(next.value);
          await setImmediate(); // other requests are served in between, however much of the list is here already
        }
      } finally {
        await iterator.return?.();
      }
    })();
  });
}
