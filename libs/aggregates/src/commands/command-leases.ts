import { newId } from '@parley/secrets';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { newLease as leaseFor, type CommandEntry, type Lease, commandsToTake } from '../stored/bookkeeping.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import type { Clock } from '@parley/clock';
import type { AnyHandlers } from './command-handlers.ts';
import type { IsTakenBack } from './command-outcomes.ts';
import type { CommandPlaces, LeasedCommand } from './command-places.ts';

/** The leases of this process: in memory, and in the documents, where they are renewed. */
export type CommandLeases = ReturnType<typeof openCommandLeases>;

export function openCommandLeases(options: { writer: DocumentWriter; outbox: Outbox; leaseMs: number; log: Logger }) {
  const { writer, outbox, leaseMs, log } = options;
  const owner = newId('runner');
  /** By the id of the entry. */
  const held = new Map<string, LeasedCommand>();
  const newLease = () => leaseFor(leaseMs, owner);
  const isMine = ({ lease }: CommandEntry) => lease?.owner === owner;

  /** Changes the entries of a document that are this process's; false when nothing was left to change. */
  function updateEntries(
    id: string,
    change: (entry: CommandEntry) => CommandEntry,
    beforeAttempt = () => {},
  ): Promise<boolean> {
    return writer.updateBookkeeping(id, (stored) => {
      beforeAttempt();
      const before = commandsAndTimersOf(stored).commands;
      const commands = before.map((entry) => (isMine(entry) ? change(entry) : entry));
      if (commands.every((entry, index) => entry === before[index])) return undefined;
      return { extra: outbox.write(stored, stored._deleted, undefined, { commands }) ?? {} };
    });
  }

  /** Each document on its own: one that cannot be written does not end the leases of the others. */
  async function renew(): Promise<void> {
    const old = Date.now() + (leaseMs * 2) / 3;
    const aging = [...held.values()].filter(({ entry }) => entry.lease!.until.getTime() < old);
    const byDocument = Map.groupBy(aging, ({ aggregateId }) => aggregateId);
    await Promise.all([...byDocument].map(([id, commands]) => renewIn(id, commands).catch(logRenewalError)));
  }

  async function renewIn(id: string, commands: readonly LeasedCommand[]): Promise<void> {
    const found = new Set<string>();
    const renewEntry = (entry: CommandEntry) => {
      found.add(entry.id);
      return { ...entry, lease: newLease() };
    };
    await updateEntries(id, renewEntry, () => found.clear());
    for (const { entry, abort } of commands) if (!found.has(entry.id)) abort.abort();
  }

  function logRenewalError(error: unknown): void {
    if (!isUnreachable(error)) log.error({ err: error }, 'cannot renew the leases of commands');
  }

  let renewing: Promise<void> | undefined;
  let stopped = false;
  /** Only while there are leases: those of all collections would wake a process at rest several times a second. */
  let renewal: NodeJS.Timeout | undefined;
  function renewOrRest(): void {
    if (held.size > 0) renewing ??= renew().finally(() => (renewing = undefined));
    else {
      clearInterval(renewal);
      renewal = undefined;
    }
  }

  return {
    newLease,
    isMine,
    held: held as ReadonlyMap<string, LeasedCommand>,
    updateEntries,
    /** Renews its lease until it is let go. */
    hold(command: LeasedCommand): void {
      held.set(command.entry.id, command);
      if (!stopped) renewal ??= setInterval(renewOrRest, leaseMs / 3);
    },
    letGo: ({ entry }: LeasedCommand) => void held.delete(entry.id),
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(renewal);
      await renewing;
    },
  };
}

/** Which commands of a document this process leases. */
export function commandClaims(options: {
  handlers: AnyHandlers;
  places: CommandPlaces;
  newLease: () => Lease;
  clock: Clock;
  isTakenBack: IsTakenBack;
  isStopped: () => boolean;
}) {
  const { handlers, places, newLease, clock, isTakenBack, isStopped } = options;
  const isOrdered = (kind: string) => !handlers[kind]?.unordered;
  const isAvailable = (kind: string) => handlers[kind] !== undefined && (handlers[kind].available?.() ?? true);

  function mayClaim(entry: CommandEntry): boolean {
    const isNew = entry.lease === null && entry.startedAt === null;
    return isNew && !isTakenBack(entry) && isAvailable(entry.kind) && places.hasRoomFor(entry);
  }

  function leased(entry: CommandEntry): CommandEntry {
    const { guarantee, startsWithWrite } = handlers[entry.kind]!;
    const starts = guarantee === 'at_most_once' && startsWithWrite && places.isFreeFor(entry);
    return { ...entry, lease: newLease(), ...(starts && { startedAt: clock.now() }) };
  }

  /** Leases what can be executed here, in a write that is being made. */
  function claim(entries: readonly CommandEntry[]): readonly CommandEntry[] {
    if (isStopped()) return entries;
    const claimed = new Set(commandsToTake(entries, isOrdered, new Date()).filter(mayClaim));
    return claimed.size === 0 ? entries : entries.map((entry) => (claimed.has(entry) ? leased(entry) : entry));
  }

  /** Frees what a dead process or an expired retry has left, if this process can lease some of it; otherwise the same entries. */
  function free(entries: readonly CommandEntry[]): readonly CommandEntry[] {
    const now = clock.now();
    const retried = entries.map((entry) => (entry.retry && entry.retry.at <= now ? { ...entry, retry: null } : entry));
    const known = commandsToTake(retried, isOrdered, new Date()).filter(({ kind }) => handlers[kind]);
    const abandoned = new Set(known.filter(({ lease }) => lease));
    const freed = retried.map((entry) =>
      abandoned.has(entry) ? { ...entry, lease: null, attempts: entry.attempts + 1 } : entry,
    );
    const isChange = (entry: CommandEntry, index: number) => entry !== entries[index];
    return claim(freed).some(isChange) || freed.some(isTakenBack) ? freed : entries;
  }

  return { isOrdered, isAvailable, claim, free };
}
