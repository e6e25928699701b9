import type { Clock } from '@parley/clock';
import type { Lease } from '../stored/lease.ts';
import { type CommandEntry, commandsToTake } from '../stored/command-entries.ts';
import type { AnyHandlers } from './command-handlers.ts';
import type { CommandPlaces } from './command-places.ts';

/** Which commands of a document this process leases. */
export function commandClaims(options: {
  handlers: AnyHandlers;
  places: CommandPlaces;
  newLease: () => Lease;
  clock: Clock;
  isStopped: () => boolean;
}) {
  const { handlers, places, newLease, clock, isStopped } = options;
  const isOrdered = (kind: string) => !handlers[kind]?.unordered;
  const isAvailable = (kind: string) => handlers[kind] !== undefined && (handlers[kind].available?.() ?? true);

  function mayClaim(entry: CommandEntry): boolean {
    const isNew = entry.lease === null && entry.startedAt === null;
    return isNew && isAvailable(entry.kind) && places.hasRoomFor(entry);
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
    return claim(freed).some((entry, index) => entry !== entries[index]) ? freed : entries;
  }

  return { isOrdered, isAvailable, claim, free };
}
