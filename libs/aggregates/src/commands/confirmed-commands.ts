import type { CommandEntry } from '../stored/command-entries.ts';

/**
 * Commands that were executed and from which nothing follows: they only have to be removed from their documents. The next write of a
 * document removes them at no extra cost; without one, a write of its own removes them.
 */
export function confirmedCommands(options: {
  /** Writes a document without its confirmed commands, unless another write has removed them meanwhile. */
  removeFrom: (aggregateId: string, isWanted: () => boolean) => Promise<unknown>;
  delayMs: number;
  onError: (error: unknown) => void;
}) {
  const { removeFrom, delayMs, onError } = options;
  const byAggregate = new Map<string, Set<string>>();
  const all = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function removeEntries(aggregateId: string, isGone: (id: string) => boolean): void {
    const own = byAggregate.get(aggregateId);
    if (!own) return;
    for (const id of [...own].filter(isGone)) {
      own.delete(id);
      all.delete(id);
    }
    if (own.size === 0) byAggregate.delete(aggregateId);
  }

  async function removeOf(aggregateId: string): Promise<void> {
    const removed = new Set(byAggregate.get(aggregateId));
    if (removed.size === 0) return;
    try {
      await removeFrom(aggregateId, () => byAggregate.has(aggregateId));
    } catch (error) {
      // The leases expire, and they are executed again.
      onError(error);
    }
    removeEntries(aggregateId, (id) => removed.has(id));
  }

  const removeAll = () => Promise.all([...byAggregate.keys()].map(removeOf));

  function setTimer(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      removeAll().catch(onError);
    }, delayMs);
  }

  return {
    add(aggregateId: string, { id }: CommandEntry): void {
      const own = byAggregate.get(aggregateId) ?? new Set();
      byAggregate.set(aggregateId, own.add(id));
      all.add(id);
      setTimer();
    },
    has: ({ id }: CommandEntry) => all.has(id),
    /** A document was written: those that are not in it any more are forgotten. */
    onWritten(aggregateId: string, entries: readonly CommandEntry[]): void {
      const present = new Set(entries.map(({ id }) => id));
      removeEntries(aggregateId, (id) => !present.has(id));
    },
    /** Removes what is left of one document, or of all, from there now. */
    async remove(aggregateId?: string): Promise<void> {
      if (aggregateId !== undefined) return removeOf(aggregateId);
      clearTimeout(timer);
      await removeAll();
    },
  };
}
