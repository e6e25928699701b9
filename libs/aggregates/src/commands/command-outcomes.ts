import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { type Decision, dueIn, type Effects } from '@parley/errors';
import { collidedIndex, isUnreachable } from '@parley/mongo';
import { batch } from '@parley/queues';
import type { Logger } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { type Aggregate, retryWaitMs, type AnyCommand, type CommandEntry, commandOf } from '../stored/bookkeeping.ts';
import { type StoredDocument, toState } from '../stored/stored-document.ts';
import type { DocumentWriter, Revision } from '../writes/document-writer.ts';
import type { AnyHandler, AnyHandlers } from './command-handlers.ts';
import type { LeasedCommand } from './command-places.ts';

export type Outcome =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'unknown' }
  | { readonly type: 'failed'; readonly error: unknown }
  /** `retryMs`: how long to wait before the retry; null: until the handler is available. */
  | { readonly type: 'unavailable'; readonly retryMs: number | null };

/**
 * A command of before a restore that its process may have executed after the moment of the backup: without a mark in the
 * restored document, it must be counted as if it had one.
 */
export type IsTakenBack = (entry: CommandEntry) => boolean;

export const takenBackBy =
  (restoredAt: Date | undefined, handlers: AnyHandlers): IsTakenBack =>
  ({ kind, createdAt }) =>
    restoredAt !== undefined && createdAt < restoredAt && handlers[kind]?.guarantee === 'at_most_once';

interface Finished {
  readonly aggregateId: string;
  readonly commandId: string;
  readonly outcome: Outcome;
}

const RETRY_MS = 1000;
const TRIES_MAX = 5;

/** Settles commands in their documents. */
export function outcomeWriter(options: {
  writer: DocumentWriter;
  outbox: Outbox;
  handlers: AnyHandlers;
  clock: Clock;
  log: Logger;
  isMine: (entry: CommandEntry) => boolean;
  isTakenBack: IsTakenBack;
  isStopped: () => boolean;
}) {
  const { writer, outbox, handlers, clock, log, isMine, isTakenBack, isStopped } = options;

  /** Settles the commands of a document that have an outcome. */
  async function settle(
    id: string,
    outcomeOf: (entry: CommandEntry) => Outcome | undefined,
    prepare = (entries: readonly CommandEntry[]) => entries,
  ): Promise<void> {
    const onError = ({ kind, attempts }: CommandEntry, error: unknown) =>
      log.warn({ err: error, id, command: kind, attempts: attempts + 1 }, 'command failed; it is tried again');
    await writer.updateBookkeeping(id, (stored) => {
      const before = commandsAndTimersOf(stored).commands;
      const commands = prepare(before);
      const outcomes = commands.flatMap((entry) => {
        const outcome = outcomeOf(entry);
        return outcome ? [[entry, outcome] as const] : [];
      });
      if (outcomes.length === 0 && commands === before) return undefined;
      return settleOutcomes({ stored, commands, outcomes, handlers, outbox, now: clock.now(), onError });
    });
  }

  async function writeAll(id: string, finished: readonly Finished[]): Promise<void> {
    const outcomeOf = (entry: CommandEntry) => finished.find(({ commandId }) => commandId === entry.id)?.outcome;
    try {
      await settle(id, (entry) => (isMine(entry) ? outcomeOf(entry) : undefined));
    } catch (error) {
      // The decision violates a unique index.
      if (collidedIndex(error) === undefined) throw error;
      if (finished.length > 1) for (const one of finished) await writeAll(id, [one]);
      else await settle(id, (entry) => outcomeOf(entry) && { type: 'failed', error });
    }
  }

  function isAbandoned(entry: CommandEntry): boolean {
    const { startedAt, lease, retry, kind } = entry;
    const mayHaveBegun = startedAt !== null || isTakenBack(entry);
    return mayHaveBegun && lease === null && retry === null && handlers[kind] !== undefined;
  }

  const queue = outcomeQueue<Finished>({ write: writeAll, isStopped, retryMs: RETRY_MS, triesMax: TRIES_MAX });
  return {
    /** Resolves when the outcome is stored; rejects only for the outcome's own sake. */
    write: ({ aggregateId, entry }: LeasedCommand, outcome: Outcome) =>
      queue({ aggregateId, commandId: entry.id, outcome }),
    /** What a crashed process had started has an unknown outcome. `free`: the entries of a document without expired leases and retries. */
    settleAbandoned: (id: string, free: (entries: readonly CommandEntry[]) => readonly CommandEntry[]) =>
      settle(id, (entry) => (isAbandoned(entry) ? { type: 'unknown' } : undefined), free),
  };
}

/**
 * Writes outcomes of commands: those of one document that come during a write are written together by the next one. Resolves when the
 * outcome is stored; rejects only for the outcome's own sake.
 */
export function outcomeQueue<Item extends { readonly aggregateId: string }>(options: {
  /** Stores the outcomes of one document in one write. While the database is unreachable it is repeated until this process stops. */
  write: (aggregateId: string, items: readonly Item[]) => Promise<void>;
  isStopped: () => boolean;
  retryMs: number;
  /** The number of attempts of one outcome on its own. */
  triesMax: number;
}): (item: Item) => Promise<void> {
  const { write, isStopped, retryMs, triesMax } = options;
  async function writeAll(items: readonly Item[]): Promise<undefined[]> {
    // The lease may last until the database is back; otherwise another process has it by then.
    for (let failures = 0; ; await sleep(retryMs)) {
      try {
        await write(items[0]!.aggregateId, items);
        return items.map(() => undefined);
      } catch (error) {
        if (!isUnreachable(error)) failures += 1;
        if (isStopped() || failures === triesMax || (failures > 0 && items.length > 1)) throw error;
      }
    }
  }
  return batch(writeAll, { keyBy: ({ aggregateId }) => aggregateId, max: Infinity, isRetriedAlone: () => true });
}

interface Settled {
  state: Aggregate | null;
  events: unknown[];
  commands: AnyCommand[];
  timers: Record<string, unknown>;
}

/** Settles commands of a document in one write: their decisions one after the other, in the order they ended. */
function settleOutcomes(options: {
  stored: StoredDocument;
  /** The current commands; those in `outcomes` belong to the process that records them. */
  commands: readonly CommandEntry[];
  outcomes: readonly (readonly [CommandEntry, Outcome])[];
  handlers: AnyHandlers;
  outbox: Outbox;
  now: Date;
  onError: (entry: CommandEntry, error: unknown) => void;
}): Revision {
  const { stored, outcomes, handlers, outbox, now, onError } = options;
  const before = stored._deleted ? null : toState<Aggregate>(stored);
  const settled: Settled = { state: before, events: [], commands: [], timers: {} };
  let commands = options.commands;
  const replace = (entry: CommandEntry, next: CommandEntry) =>
    void (commands = commands.map((one) => (one === entry ? next : one)));
  const failed = (entry: CommandEntry, error: unknown) => {
    const attempts = entry.attempts + 1;
    onError(entry, error);
    replace(entry, { ...entry, attempts, lease: null, retry: dueIn(now, retryWaitMs(attempts)) });
  };
  for (const [entry, outcome] of outcomes) {
    if (outcome.type === 'failed') {
      failed(entry, outcome.error);
    } else if (outcome.type === 'unavailable') {
      const retry = outcome.retryMs === null ? null : dueIn(now, outcome.retryMs);
      replace(entry, { ...entry, startedAt: null, lease: null, retry });
    } else {
      try {
        const result = outcome.type === 'unknown' ? ({ unknown: true } as const) : outcome.result;
        add(settled, handlers[entry.kind], commandOf(entry), result, now);
        commands = commands.filter((one) => one !== entry);
      } catch (error) {
        failed(entry, error);
      }
    }
  }
  const { state } = settled;
  const effects = { ...settled, state: undefined } as unknown as Effects<unknown, AnyCommand, string>;
  const deleted = stored._deleted || state === null;
  return {
    ...(state !== before && { state }),
    extra: outbox.write(stored, deleted, effects, { commands, timers: commandsAndTimersOf(stored).timers }) ?? {},
  };
}

/** Adds what follows from one result. A refusal means that nothing follows. */
function add(settled: Settled, handler: AnyHandler | undefined, command: AnyCommand, result: unknown, now: Date): void {
  if (settled.state === null) return;
  const decision: Decision<Aggregate | null, unknown, AnyCommand, string> | undefined = handler?.settle?.(
    settled.state,
    command,
    result,
    now,
  );
  if (!decision?.ok) return;
  settled.state = decision.state;
  settled.events.push(...decision.events);
  settled.commands.push(...decision.commands);
  Object.assign(settled.timers, decision.timers);
}

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
