import { fairQueue } from '@parley/queues';
import { type CommandEntry, commandOf } from '../stored/command-entries.ts';
import type { LeasedCommand } from './command-leases.ts';
import type { AnyHandler } from './command-outcomes.ts';

/** Commands that wait for one of the places in which they are executed: companies in turn, the more urgent ones of a company first. */
export interface CommandPlaces {
  /** Whether one more may wait. */
  hasRoomFor(entry: CommandEntry): boolean;
  /** Whether it would not have to wait. */
  isFreeFor(entry: CommandEntry): boolean;
  add(commands: readonly LeasedCommand[]): void;
  waiting(): number;
  /** Starts no more; returns those that wait. */
  close(): LeasedCommand[];
  /** Resolves when nothing is executed any more. */
  empty(): Promise<void>;
}

/** Commands that wait; more are left for other processes. */
const QUEUE_MAX = 1000;

export function commandPlaces(options: {
  handlers: Readonly<Record<string, AnyHandler>>;
  concurrency: number;
  /** Never rejects. */
  run: (command: LeasedCommand) => Promise<void>;
}): CommandPlaces {
  const { handlers, concurrency, run } = options;
  const queue = fairQueue(isBefore);
  const longQueue = fairQueue(isBefore);
  const isLong = (entry: CommandEntry) => handlers[entry.kind]?.isLong?.(commandOf(entry)) ?? false;
  /** Each queue has its own bound: long commands that wait do not keep short ones from being claimed. */
  const queueOf = (entry: CommandEntry) => (isLong(entry) ? longQueue : queue);
  const longMax = Math.ceil(concurrency / 2);
  let longRunning = 0;
  const running = new Set<Promise<void>>();
  let closed = false;

  function isBefore(one: LeasedCommand, other: LeasedCommand): boolean {
    return urgencyOf(one) < urgencyOf(other);
  }
  function urgencyOf({ entry }: LeasedCommand): number {
    return entry.createdAt.getTime() + (handlers[entry.kind]?.mayWaitMs?.(commandOf(entry)) ?? 0);
  }

  function runNext(): void {
    while (!closed && running.size < concurrency) {
      const command = queue.take() ?? (longRunning < longMax ? longQueue.take() : undefined);
      if (!command) break;
      const long = isLong(command.entry) ? 1 : 0;
      longRunning += long;
      const work: Promise<void> = run(command).finally(() => {
        running.delete(work);
        longRunning -= long;
        runNext();
      });
      running.add(work);
    }
  }

  return {
    hasRoomFor: (entry) => queueOf(entry).size() < QUEUE_MAX,
    isFreeFor: (entry) =>
      running.size < concurrency && queueOf(entry).size() === 0 && (!isLong(entry) || longRunning < longMax),
    add(commands) {
      for (const command of commands) queueOf(command.entry).add(command.companyId, command);
      runNext();
    },
    waiting: () => queue.size() + longQueue.size(),
    close() {
      closed = true;
      return [...queue.clear(), ...longQueue.clear()];
    },
    async empty() {
      await Promise.all(running);
    },
  };
}
