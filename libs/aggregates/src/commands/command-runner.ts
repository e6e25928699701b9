import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock } from '@parley/clock';
import { collidedIndex, isUnreachable } from '@parley/mongo';
import type { DocumentCache } from '../stored/document-cache.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { Telemetry } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { removeFinished } from '../writes/remove-finished.ts';
import { type CommandEntry, commandOf, claimable } from '../stored/command-entries.ts';
import { type AnyHandler, type Outcome, settleOutcomes } from './command-outcomes.ts';
import type { CommandOptions } from './command-handlers.ts';
import { type LeasedCommand, openCommandLeases } from './command-leases.ts';
import { commandPlaces } from './command-places.ts';
import { confirmedCommands } from './confirmed-commands.ts';
import { executeCommand } from './execute-command.ts';
import { outcomeQueue } from './outcome-queue.ts';

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
export const COMMAND_LEASE_MS = 15_000;
const SETTLE_RETRY_MS = 1000;
const SETTLE_TRIES_MAX = 5;
/**
 * A finished command waits this long for another write of its document, which also removes it. What another replica commands meanwhile may
 * have to wait for the removal, so it is short.
 */
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
  const { concurrency = CONCURRENCY, leaseMs = COMMAND_LEASE_MS } = options;
  const leases = openCommandLeases({ writer, outbox, leaseMs, log: telemetry.log });
  const { newLease, isMine } = leases;
  const places = commandPlaces({ handlers, concurrency, run: runInBackground });
  let stopped = false;

  const confirmed = confirmedCommands({
    removeFrom: (id, isWanted) => backgroundWork.during(() => removeFinished(writer, outbox, id, isWanted)),
    delayMs: REMOVAL_DELAY_MS,
    onError: logRemovalError,
  });
  function logRemovalError(error: unknown): void {
    if (!isUnreachable(error)) telemetry.log.warn({ err: error }, 'cannot remove commands that are done');
  }

  const isOrdered = (kind: string) => !handlers[kind]?.unordered;
  const isAvailable = (kind: string) => handlers[kind] !== undefined && (handlers[kind].available?.() ?? true);

  function claim(entries: readonly CommandEntry[]): readonly CommandEntry[] {
    if (stopped) return entries;
    const free = new Set(
      claimable(entries, isOrdered, new Date()).filter(
        (entry) =>
          entry.lease === null && entry.startedAt === null && isAvailable(entry.kind) && places.hasRoomFor(entry),
      ),
    );
    return free.size === 0 ? entries : entries.map((entry) => (free.has(entry) ? leasedEntry(entry) : entry));
  }

  function leasedEntry(entry: CommandEntry): CommandEntry {
    const { guarantee, startsWithWrite } = handlers[entry.kind]!;
    const starts = guarantee === 'at_most_once' && startsWithWrite && places.isFreeFor(entry);
    return { ...entry, lease: newLease(), ...(starts && { startedAt: clock.now() }) };
  }

  function start(written: StoredDocument): void {
    const { commands } = commandsAndTimersOf(written);
    confirmed.onWritten(written._id, commands);
    // Decided before the one ahead of it was done: it need not wait any longer.
    if (commands.some(confirmed.has) && commands.some(({ lease }) => lease === null))
      confirmed.remove(written._id).catch(logRemovalError);
    const added: LeasedCommand[] = [];
    for (const entry of commands.filter((one) => isMine(one) && !confirmed.has(one))) {
      const known = leases.held.get(entry.id);
      if (known) {
        known.entry = entry;
        continue;
      }
      const { _id: aggregateId, companyId = '' } = written;
      const item = { aggregateId, companyId, entry, abort: new AbortController() };
      leases.hold(item);
      added.push(item);
    }
    for (const item of places.add(added)) leases.letGo(item);
  }

  /** Outside of the request that wrote it: a command has its own trace. */
  async function runInBackground(item: LeasedCommand): Promise<void> {
    try {
      await context.with(ROOT_CONTEXT, () => backgroundWork.during(() => run(item)));
    } catch (error) {
      if (!isUnreachable(error))
        telemetry.log.error({ err: error, id: item.aggregateId, command: item.entry.kind }, 'command not settled');
    } finally {
      leases.letGo(item);
    }
  }

  async function run(item: LeasedCommand): Promise<void> {
    const { kind } = item.entry;
    if (item.abort.signal.aborted || item.entry.lease!.until <= new Date()) return;
    if (!isAvailable(kind)) return settle(item, { type: 'unavailable', retryMs: null });
    const needsMark = handlers[kind]!.guarantee === 'at_most_once' && item.entry.startedAt === null;
    if (needsMark && !(await markStarted(item))) return;
    const outcome = await executeCommand(item, handlers[kind]!, telemetry);
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

  /** After this write it is never executed again. */
  const markStarted = ({ aggregateId, entry: { id } }: LeasedCommand) =>
    leases.rewrite(aggregateId, (entry) =>
      entry.id === id && entry.startedAt === null ? { ...entry, startedAt: clock.now(), lease: newLease() } : entry,
    );

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

  backgroundWork.addBacklog(async () => places.waiting());

  return {
    isOrdered,
    isConfirmed: confirmed.has,
    kinds: () => Object.keys(handlers).filter(isAvailable),
    claim,
    start,
    takeOver,
    async stop() {
      stopped = true;
      const waiting = places.close();
      for (const { abort } of leases.held.values()) abort.abort();
      for (const id of new Set(waiting.map(({ aggregateId }) => aggregateId))) {
        const ids = new Set(waiting.map(({ entry }) => entry.id));
        const released = (entry: CommandEntry) =>
          ids.has(entry.id) ? { ...entry, lease: null, startedAt: null } : entry;
        // If that fails, the leases expire.
        await leases.rewrite(id, released).catch(() => undefined);
      }
      await places.empty();
      await confirmed.remove();
      await leases.stop();
    },
  };
}
