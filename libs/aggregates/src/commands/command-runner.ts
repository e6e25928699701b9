import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock } from '@parley/clock';
import { newId } from '@parley/ids';
import { fairQueue } from '@parley/queues';
import { collidedIndex, isUnreachable } from '@parley/mongo';
import type { DocumentCache } from '../stored/document-cache.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { type CommandEntry, commandOf, claimable } from '../stored/command-entries.ts';
import { type AnyHandler, type Outcome, settleOutcomes } from './command-outcomes.ts';
import { type CommandOptions, NotAvailable } from './command-handlers.ts';
import { confirmedCommands } from './confirmed-commands.ts';
import { outcomeQueue } from './outcome-queue.ts';

/** A command that this process has leased. */
interface LeasedCommand {
  readonly aggregateId: string;
  readonly companyId: string;
  entry: CommandEntry;
  running: boolean;
  readonly abort: AbortController;
}

interface Finished {
  readonly item: LeasedCommand;
  readonly outcome: Outcome;
}

/** Executes the commands that this process has leased. */
export interface CommandRunner {
  isOrdered(kind: string): boolean;
  /** True when it was executed here and only has to be removed. */
  isConfirmed(entry: CommandEntry): boolean;
  /** Kinds whose commands can be executed here now. */
  kinds(): string[];
  /** Leases what can be executed here, in a write that is being made. */
  claim(entries: readonly CommandEntry[]): readonly CommandEntry[];
  /** Starts with the commands that the write leased. */
  start(written: StoredDocument): void;
  /** Takes over what a dead process or an expired retry has left in a document. */
  takeOver(id: string): Promise<void>;
  stop(): Promise<void>;
}

const CONCURRENCY = 64;
const LEASE_MS = 15_000;
/** Leased commands that wait for capacity; more are left for other processes. */
const QUEUE_MAX = 1000;
const UNAVAILABLE_RETRY_MS = 2000;
const SETTLE_RETRY_MS = 1000;
const SETTLE_TRIES_MAX = 5;
/** A finished command waits this long for another write of its document, which also removes it. */
const REMOVAL_DELAY_MS = 250;

export function commandRunner(
  options: {
    writer: DocumentWriter;
    outbox: Outbox;
    cache: DocumentCache;
    handlers: Readonly<Record<string, AnyHandler>>;
    clock: Clock;
    backgroundWork: BackgroundWork;
    telemetry: Telemetry;
  } & CommandOptions,
): CommandRunner {
  const { writer, outbox, cache, handlers, clock, backgroundWork, telemetry } = options;
  const { concurrency = CONCURRENCY, leaseMs = LEASE_MS } = options;
  const owner = newId('runner');
  const leased = new Map<string, LeasedCommand>();
  const queue = fairQueue(isBefore);
  const longQueue = fairQueue(isBefore);
  const isLong = (entry: CommandEntry) => handlers[entry.kind]?.isLong?.(commandOf(entry)) ?? false;
  const queueOf = (entry: CommandEntry) => (isLong(entry) ? longQueue : queue);
  /** Each queue has its own bound: long commands that wait do not keep short ones from being claimed. */
  const hasRoomFor = (entry: CommandEntry) => queueOf(entry).size() < QUEUE_MAX;
  const queued = () => queue.size() + longQueue.size();
  const longMax = Math.ceil(concurrency / 2);
  let longRunning = 0;
  const running = new Set<Promise<void>>();
  let stopped = false;

  const confirmed = confirmedCommands({
    removeFrom: (id, isWanted) =>
      backgroundWork.during(() =>
        writer.updateBookkeeping(
          id,
          (stored) => {
            const extra = outbox.write(stored, stored._deleted);
            return extra && { extra };
          },
          isWanted,
        ),
      ),
    delayMs: REMOVAL_DELAY_MS,
    onError: logRemovalError,
  });
  function logRemovalError(error: unknown): void {
    if (!isUnreachable(error)) telemetry.log.warn({ err: error }, 'cannot remove commands that are done');
  }

  function isBefore(one: LeasedCommand, other: LeasedCommand): boolean {
    return urgencyOf(one) < urgencyOf(other);
  }
  function urgencyOf({ entry }: LeasedCommand): number {
    return entry.createdAt.getTime() + (handlers[entry.kind]?.mayWaitMs?.(commandOf(entry)) ?? 0);
  }

  const newLease = () => ({ owner, until: new Date(Date.now() + leaseMs) });
  const isMine = ({ lease }: CommandEntry) => lease?.owner === owner;
  const isOrdered = (kind: string) => !handlers[kind]?.unordered;
  const isAvailable = (kind: string) => handlers[kind] !== undefined && (handlers[kind].available?.() ?? true);

  function claim(entries: readonly CommandEntry[]): readonly CommandEntry[] {
    if (stopped) return entries;
    const free = new Set(
      claimable(entries, isOrdered, new Date()).filter(
        (entry) => entry.lease === null && entry.startedAt === null && isAvailable(entry.kind) && hasRoomFor(entry),
      ),
    );
    return free.size === 0 ? entries : entries.map((entry) => (free.has(entry) ? leasedEntry(entry) : entry));
  }

  function leasedEntry(entry: CommandEntry): CommandEntry {
    const { guarantee, startsWithWrite } = handlers[entry.kind]!;
    const hasPlace =
      running.size < concurrency && queueOf(entry).size() === 0 && (!isLong(entry) || longRunning < longMax);
    const starts = guarantee === 'at_most_once' && startsWithWrite && hasPlace;
    return { ...entry, lease: newLease(), ...(starts && { startedAt: clock.now() }) };
  }

  function start(written: StoredDocument): void {
    const { commands } = commandsAndTimersOf(written);
    confirmed.onWritten(written._id, commands);
    // Decided before the one ahead of it was done: it need not wait any longer.
    if (commands.some(confirmed.has) && commands.some(({ lease }) => lease === null))
      confirmed.remove(written._id).catch(logRemovalError);
    for (const entry of commands.filter((one) => isMine(one) && !confirmed.has(one))) {
      const known = leased.get(entry.id);
      if (known) {
        known.entry = entry;
        continue;
      }
      const { _id: aggregateId, companyId = '' } = written;
      const item = { aggregateId, companyId, entry, running: false, abort: new AbortController() };
      leased.set(entry.id, item);
      queueOf(entry).add(companyId, item);
    }
    runNext();
  }

  function runNext(): void {
    while (!stopped && running.size < concurrency) {
      const item = queue.take() ?? (longRunning < longMax ? longQueue.take() : undefined);
      if (!item) break;
      const long = isLong(item.entry);
      if (long) longRunning += 1;
      item.running = true;
      // Outside of the request that wrote it: a command has its own trace.
      const work: Promise<void> = context
        .with(ROOT_CONTEXT, () => backgroundWork.during(() => run(item)))
        .catch((error: unknown) => {
          if (!isUnreachable(error))
            telemetry.log.error({ err: error, id: item.aggregateId, command: item.entry.kind }, 'command not settled');
        })
        .finally(() => {
          running.delete(work);
          if (long) longRunning -= 1;
          leased.delete(item.entry.id);
          runNext();
        });
      running.add(work);
    }
  }

  async function run(item: LeasedCommand): Promise<void> {
    const { kind } = item.entry;
    if (item.abort.signal.aborted || item.entry.lease!.until <= new Date()) return;
    if (!isAvailable(kind)) return settle(item, { type: 'unavailable', retryMs: null });
    const needsMark = handlers[kind]!.guarantee === 'at_most_once' && item.entry.startedAt === null;
    if (needsMark && !(await markStarted(item))) return;
    const outcome = await execute(item);
    if (canWaitForRemoval(item, outcome)) return confirmed.add(item.aggregateId, item.entry);
    await settle(item, outcome);
    handlers[kind]!.onSettled?.({ aggregateId: item.aggregateId });
  }

  /** Nothing follows from it, and nothing in its document waits for it. */
  function canWaitForRemoval({ aggregateId, entry }: LeasedCommand, outcome: Outcome): boolean {
    const handler = handlers[entry.kind]!;
    if (stopped || outcome.type !== 'result' || handler.guarantee !== 'until_confirmed') return false;
    if (handler.needsSettling?.(commandOf(entry), outcome.result) ?? true) return false;
    const known = cache.get(aggregateId);
    return known !== undefined && commandsAndTimersOf(known).commands.every(({ lease }) => lease !== null);
  }

  /** Changes the entries of a document that are this process's; false when nothing was left to change. */
  async function rewrite(
    id: string,
    change: (entry: CommandEntry) => CommandEntry,
    begin = () => {},
  ): Promise<boolean> {
    return writer.updateBookkeeping(id, (stored) => {
      begin();
      const before = commandsAndTimersOf(stored).commands;
      const commands = before.map((entry) => (isMine(entry) ? change(entry) : entry));
      if (commands.every((entry, index) => entry === before[index])) return undefined;
      return { extra: outbox.write(stored, stored._deleted, undefined, { commands }) ?? {} };
    });
  }

  /** After this write it is never executed again. */
  const markStarted = ({ aggregateId, entry: { id } }: LeasedCommand) =>
    rewrite(aggregateId, (entry) =>
      entry.id === id && entry.startedAt === null ? { ...entry, startedAt: clock.now(), lease: newLease() } : entry,
    );

  async function execute({ aggregateId, companyId, entry, abort }: LeasedCommand): Promise<Outcome> {
    const { id, kind, attempts, createdAt, traceparent } = entry;
    const handler = handlers[kind]!;
    const about = { id, aggregateId, companyId, attempt: attempts + 1, createdAt, signal: abort.signal };
    const span = {
      kind: SpanKind.CLIENT,
      parent: contextFrom(traceparent ?? undefined),
      attributes: { 'parley.command.id': id, 'parley.command.attempt': attempts + 1 },
    };
    try {
      const result = await telemetry.span(`command ${kind}`, span, () => handler.execute(commandOf(entry), about));
      return { type: 'result', result };
    } catch (error) {
      if (error instanceof NotAvailable) {
        const known = handler.available?.() === false;
        return { type: 'unavailable', retryMs: known ? null : UNAVAILABLE_RETRY_MS };
      }
      if (handler.guarantee === 'until_confirmed') return { type: 'failed', error };
      telemetry.log.warn({ err: error, id: aggregateId, command: kind }, 'command failed; its outcome is unknown');
      return { type: 'unknown' };
    }
  }

  const outcomes = outcomeQueue<Finished>({
    write: writeOutcomes,
    isUnreachable,
    isStopped: () => stopped,
    retryMs: SETTLE_RETRY_MS,
    triesMax: SETTLE_TRIES_MAX,
  });
  const settle = (item: LeasedCommand, outcome: Outcome) => outcomes.add(item.aggregateId, { item, outcome });

  async function writeOutcomes(id: string, batch: readonly Finished[]): Promise<void> {
    try {
      await reviseWith(id, (entry) =>
        isMine(entry) ? batch.find(({ item }) => item.entry.id === entry.id)?.outcome : undefined,
      );
    } catch (error) {
      // The decision violates a unique index.
      if (collidedIndex(error) === undefined) throw error;
      if (batch.length > 1) for (const one of batch) await writeOutcomes(id, [one]);
      else
        await reviseWith(id, (entry) => (entry.id === batch[0]!.item.entry.id ? { type: 'failed', error } : undefined));
    }
  }

  /** Settles the commands of a document that have an outcome. */
  async function reviseWith(
    id: string,
    outcomeOf: (entry: CommandEntry) => Outcome | undefined,
    prepare: (entries: readonly CommandEntry[]) => readonly CommandEntry[] = (entries) => entries,
  ): Promise<void> {
    await writer.updateBookkeeping(id, (stored) => {
      const before = commandsAndTimersOf(stored).commands;
      const commands = prepare(before);
      const outcomes = commands.flatMap((entry) => {
        const outcome = outcomeOf(entry);
        return outcome ? [[entry, outcome] as const] : [];
      });
      if (outcomes.length === 0 && commands === before) return undefined;
      return settleOutcomes({
        stored,
        commands,
        outcomes,
        handlers,
        outbox,
        now: clock.now(),
        onError: (entry, error) =>
          telemetry.log.warn(
            { err: error, id, command: entry.kind, attempts: entry.attempts + 1 },
            'command failed; it is tried again',
          ),
      });
    });
  }

  async function takeOver(id: string): Promise<void> {
    await reviseWith(
      id,
      // Started by a crashed process: the outcome is unknown.
      ({ startedAt, lease, retry, kind }) =>
        startedAt !== null && lease === null && retry === null && handlers[kind] ? { type: 'unknown' } : undefined,
      (entries) => {
        const retryDue = entries.map((entry) =>
          entry.retry && entry.retry.at <= clock.now() ? { ...entry, retry: null } : entry,
        );
        const free = new Set(claimable(retryDue, isOrdered, new Date()).filter(({ kind }) => handlers[kind]));
        const released = retryDue.map((entry) =>
          free.has(entry) && entry.lease ? { ...entry, lease: null, attempts: entry.attempts + 1 } : entry,
        );
        const changed = claim(released).some((entry, index) => entry !== entries[index]);
        return changed ? released : entries;
      },
    );
  }

  /** Each document on its own: one that cannot be written does not end the leases of the others. */
  async function renew(): Promise<void> {
    const old = Date.now() + (leaseMs * 2) / 3;
    const aging = [...leased.values()].filter(({ entry }) => entry.lease!.until.getTime() < old);
    const byDocument = Map.groupBy(aging, ({ aggregateId }) => aggregateId);
    await Promise.all([...byDocument].map(([id, held]) => renewIn(id, held).catch(logRenewalError)));
  }

  async function renewIn(id: string, held: readonly LeasedCommand[]): Promise<void> {
    const found = new Set<string>();
    const renewEntry = (entry: CommandEntry) => {
      found.add(entry.id);
      return { ...entry, lease: newLease() };
    };
    await rewrite(id, renewEntry, () => found.clear());
    for (const item of held) if (!found.has(item.entry.id)) item.abort.abort();
  }

  function logRenewalError(error: unknown): void {
    if (!isUnreachable(error)) telemetry.log.error({ err: error }, 'cannot renew the leases of commands');
  }
  let renewing: Promise<void> | undefined;
  const renewal = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = undefined));
  }, leaseMs / 3);
  backgroundWork.addBacklog(async () => queued());

  return {
    isOrdered,
    isConfirmed: confirmed.has,
    kinds: () => Object.keys(handlers).filter(isAvailable),
    claim,
    start,
    takeOver,
    async stop() {
      stopped = true;
      const waiting = [...queue.clear(), ...longQueue.clear()];
      for (const item of leased.values()) item.abort.abort();
      for (const id of new Set(waiting.map(({ aggregateId }) => aggregateId))) {
        const ids = new Set(waiting.map(({ entry }) => entry.id));
        const released = (entry: CommandEntry) =>
          ids.has(entry.id) ? { ...entry, lease: null, startedAt: null } : entry;
        // If that fails, the leases expire.
        await rewrite(id, released).catch(() => undefined);
      }
      await Promise.allSettled(running);
      await confirmed.remove();
      clearInterval(renewal);
      await renewing;
    },
  };
}
