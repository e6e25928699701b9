import { fairQueue } from '@parley/queues';
import { type CommandEntry, commandOf } from '../stored/bookkeeping.ts';
import type { AnyHandlers } from './command-handlers.ts';

/** A command that this process has leased. */
export interface LeasedCommand {
  readonly aggregateId: string;
  readonly companyId: string;
  entry: CommandEntry;
  /** Aborted when the lease is lost, or when the process stops. */
  readonly abort: AbortController;
}

/** Commands that wait for one of the places in which they are executed: companies in turn, the more urgent ones of a company first. */
export type CommandPlaces = ReturnType<typeof commandPlaces>;

/** Commands that wait; more are left for other processes. */
const QUEUE_MAX = 1000;
/** Those of a company, where its number in execution is limited: nothing but other companies would wait for them. */
const COMPANY_QUEUE_MAX = 100;

export function commandPlaces(options: {
  handlers: AnyHandlers;
  concurrency: number;
  /** Never rejects. */
  run: (command: LeasedCommand) => Promise<void>;
}) {
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

  const perCompanyMaxOf = ({ entry }: LeasedCommand) => handlers[entry.kind]?.perCompanyMax ?? Infinity;
  const mayWait = (command: LeasedCommand) =>
    perCompanyMaxOf(command) === Infinity || queueOf(command.entry).sizeOf(command.companyId) < COMPANY_QUEUE_MAX;
  const runningOf = countByKey();
  const shareOf = ({ companyId, entry }: LeasedCommand) => `${entry.kind} ${companyId}`;
  const isWithinShare = (command: LeasedCommand) => runningOf.get(shareOf(command)) < perCompanyMaxOf(command);

  function isBefore(one: LeasedCommand, other: LeasedCommand): boolean {
    return urgencyOf(one) < urgencyOf(other);
  }
  function urgencyOf({ entry }: LeasedCommand): number {
    return entry.createdAt.getTime() + (handlers[entry.kind]?.mayWaitMs?.(commandOf(entry)) ?? 0);
  }

  /** Long commands come after the others; but one that has waited as long as it may has a place beside them. */
  function takeNext(): LeasedCommand | undefined {
    const isOverdue = (command: LeasedCommand) => urgencyOf(command) < Date.now() && isWithinShare(command);
    const overdue = longRunning === 0 && running.size > 0 ? longQueue.take(isOverdue) : undefined;
    return overdue ?? queue.take(isWithinShare) ?? (longRunning < longMax ? longQueue.take(isWithinShare) : undefined);
  }

  function runNext(): void {
    while (!closed && running.size < concurrency) {
      const command = takeNext();
      if (!command) break;
      const long = isLong(command.entry) ? 1 : 0;
      longRunning += long;
      const share = shareOf(command);
      runningOf.add(share, 1);
      const work: Promise<void> = run(command).finally(() => {
        running.delete(work);
        longRunning -= long;
        runningOf.add(share, -1);
        runNext();
      });
      running.add(work);
    }
  }

  return {
    /** Whether one more may wait. */
    hasRoomFor: (entry: CommandEntry) => queueOf(entry).size() < QUEUE_MAX,
    /** Whether it would not have to wait. */
    isFreeFor: (entry: CommandEntry) =>
      running.size < concurrency && queueOf(entry).size() === 0 && (!isLong(entry) || longRunning < longMax),
    /** Returns those that it does not take, because too many of their company wait. */
    add(commands: readonly LeasedCommand[]): LeasedCommand[] {
      const refused: LeasedCommand[] = [];
      for (const command of commands)
        if (mayWait(command)) queueOf(command.entry).add(command.companyId, command);
        else refused.push(command);
      runNext();
      return refused;
    },
    waiting: () => queue.size() + longQueue.size(),
    /** Starts no more; returns those that wait. */
    close(): LeasedCommand[] {
      closed = true;
      return [...queue.clear(), ...longQueue.clear()];
    },
    /** Resolves when nothing is executed any more. */
    async empty(): Promise<void> {
      await Promise.all(running);
    },
  };
}

function countByKey() {
  const counts = new Map<string, number>();
  return {
    get: (key: string) => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1) {
      const count = (counts.get(key) ?? 0) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
