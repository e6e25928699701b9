import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { BackgroundWork, Clock } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import { commandsAndTimersOf, type LocalWork, type Outbox } from '../outbox/outbox.ts';
import { type CommandEntry, commandOf } from '../stored/bookkeeping.ts';
import type { DocumentCache } from '../stored/document-reader.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import { commandClaims, openCommandLeases } from './command-leases.ts';
import type { LeasedCommand } from './command-places.ts';
import { type AnyHandler, type AnyHandlers, type CommandOptions, NotAvailable } from './command-handlers.ts';
import { type Outcome, outcomeWriter, confirmedCommands, takenBackBy } from './command-outcomes.ts';
import { commandPlaces } from './command-places.ts';

/** Executes the commands that this process has leased. */
export type CommandRunner = ReturnType<typeof commandRunner>;

const CONCURRENCY = 64;
export const COMMAND_LEASE_MS = 15_000;
const UNAVAILABLE_RETRY_MS = 2000;
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
    handlers: AnyHandlers;
    clock: Clock;
    backgroundWork: BackgroundWork;
    telemetry: Telemetry;
    /** See `startRelay`. */
    restoredAt?: Date | undefined;
  } & CommandOptions,
) {
  const { writer, outbox, cache, handlers, clock, backgroundWork, telemetry, restoredAt } = options;
  const { concurrency = CONCURRENCY, leaseMs = COMMAND_LEASE_MS } = options;
  const { log } = telemetry;
  let stopped = false;
  const isStopped = () => stopped;
  const leases = openCommandLeases({ writer, outbox, leaseMs, log });
  const { newLease, isMine } = leases;
  const places = commandPlaces({ handlers, concurrency, run: runInBackground });
  const isTakenBack = takenBackBy(restoredAt, handlers);
  const claims = commandClaims({ handlers, places, newLease, clock, isTakenBack, isStopped });
  const outcomes = outcomeWriter({ writer, outbox, handlers, clock, log, isMine, isTakenBack, isStopped });
  const confirmed = confirmedCommands({
    removeFrom: (id, isWanted) => backgroundWork.during(() => writer.removeFinished(id, isWanted)),
    delayMs: REMOVAL_DELAY_MS,
    onError: onRemovalError,
  });
  backgroundWork.addBacklog(async () => places.waiting());

  function onRemovalError(error: unknown): void {
    if (!isUnreachable(error)) log.warn({ err: error }, 'cannot remove commands that are done');
  }

  function start(written: StoredDocument): void {
    const { _id: aggregateId, companyId = '' } = written;
    const { commands } = commandsAndTimersOf(written);
    confirmed.onWritten(aggregateId, commands);
    // Decided before the one ahead of it was done: it need not wait any longer.
    if (commands.some(confirmed.has) && commands.some(({ lease }) => lease === null))
      confirmed.remove(aggregateId).catch(onRemovalError);
    const added: LeasedCommand[] = [];
    for (const entry of commands.filter((one) => isMine(one) && !confirmed.has(one))) {
      const held = leases.held.get(entry.id);
      if (held) held.entry = entry;
      else added.push({ aggregateId, companyId, entry, abort: new AbortController() });
    }
    added.forEach(leases.hold);
    places.add(added).forEach(leases.letGo);
  }

  /** Outside of the request that wrote it: a command has its own trace. */
  async function runInBackground(command: LeasedCommand): Promise<void> {
    try {
      await context.with(ROOT_CONTEXT, () => backgroundWork.during(() => run(command)));
    } catch (error) {
      const { aggregateId: id, entry } = command;
      if (!isUnreachable(error)) log.error({ err: error, id, command: entry.kind }, 'command not settled');
    } finally {
      leases.letGo(command);
    }
  }

  async function run(command: LeasedCommand): Promise<void> {
    const { aggregateId, entry, abort } = command;
    if (abort.signal.aborted || entry.lease!.until <= new Date()) return;
    if (!claims.isAvailable(entry.kind)) return outcomes.write(command, { type: 'unavailable', retryMs: null });
    const handler = handlers[entry.kind]!;
    const needsMark = handler.guarantee === 'at_most_once' && entry.startedAt === null;
    if (needsMark && !(await markStarted(command))) return;
    const outcome = await executeCommand(command, handler, telemetry);
    if (canWaitForRemoval(command, outcome)) return confirmed.add(aggregateId, entry);
    await outcomes.write(command, outcome);
    handler.onSettled?.({ aggregateId });
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
    leases.updateEntries(aggregateId, (entry) =>
      entry.id === id && entry.startedAt === null ? { ...entry, startedAt: clock.now(), lease: newLease() } : entry,
    );

  /** If that fails, the leases expire. */
  async function release(waiting: readonly LeasedCommand[]): Promise<void> {
    const ids = new Set(waiting.map(({ entry }) => entry.id));
    const released = (entry: CommandEntry) => (ids.has(entry.id) ? { ...entry, lease: null, startedAt: null } : entry);
    for (const id of new Set(waiting.map(({ aggregateId }) => aggregateId)))
      await leases.updateEntries(id, released).catch(() => undefined);
  }

  const local: LocalWork = { isOrdered: claims.isOrdered, isConfirmed: confirmed.has, claim: claims.claim, start };
  return {
    ...local,
    /** Kinds whose commands can be executed here now. */
    kinds: () => Object.keys(handlers).filter(claims.isAvailable),
    /** Takes over what a dead process or an expired retry has left in a document. */
    takeOver: (id: string) => outcomes.settleAbandoned(id, claims.free),
    async stop(): Promise<void> {
      stopped = true;
      const waiting = places.close();
      for (const { abort } of leases.held.values()) abort.abort();
      await release(waiting);
      await places.empty();
      await confirmed.remove();
      await leases.stop();
    },
  };
}

/** Executes a command, in a trace of its own. */
async function executeCommand(command: LeasedCommand, handler: AnyHandler, telemetry: Telemetry): Promise<Outcome> {
  const { aggregateId, companyId, entry, abort } = command;
  const { id, kind, attempts, createdAt, traceparent } = entry;
  // A renewal replaces the entry.
  const isLeased = () => !abort.signal.aborted && (command.entry.lease?.until ?? 0) > new Date();
  const about = { id, aggregateId, companyId, attempt: attempts + 1, createdAt, signal: abort.signal, isLeased };
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
