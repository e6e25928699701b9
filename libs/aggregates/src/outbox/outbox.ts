import type { Clock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import { currentTraceparent } from '@parley/telemetry';
import type { OutboxPublisher } from '../relay/outbox-publisher.ts';
import type { PublishedOutboxes } from '../relay/published-outboxes.ts';
import type { Relay } from '../relay/relay.ts';
import {
  type Aggregate,
  type Bookkeeping,
  type BookkeepingWrite,
  type OutboxEntry,
  type Stored,
  isFree,
  changeTimers,
  type TimerEntry,
  type AnyCommand,
  takeAt,
  type CommandEntry,
  type IsOrdered,
  newEntry,
} from '../stored/bookkeeping.ts';
import type { DocumentCache } from '../stored/document-reader.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import { auditOf, currentActor } from '@parley/actor';
import { nounOf } from '@parley/events';
import { newId } from '@parley/secrets';
import { Binary } from 'mongodb';

/** The commands and timers of a document. */
export interface CommandsAndTimers {
  readonly commands: readonly CommandEntry[];
  readonly timers: readonly TimerEntry[];
}

/** The commands and timers of a write that this process executes and fires itself. */
export interface LocalWork {
  isOrdered: IsOrdered;
  /** True when a command was executed and only has to be removed. */
  isConfirmed(entry: CommandEntry): boolean;
  /** Takes what this process can execute at once: the same entries with leases. */
  claim(entries: readonly CommandEntry[]): readonly CommandEntry[];
  start(written: StoredDocument): void;
}

export type AnyEffects = Effects<unknown, AnyCommand, string>;

/** The part of an aggregate's writes that is not its state: events, commands, timers. */
export type Outbox = ReturnType<typeof openOutbox>;

/** Left out when documents are read for their state only. */
export const outboxFields = [
  '_eventCounts',
  '_outbox',
  '_pendingSince',
  '_relay',
  '_commands',
  '_takeAt',
  '_timers',
  '_dueAt',
] as const;

/** These contain only documents with work; that of commands and timers by company, so that the load of one does not hide the others. */
export const outboxIndexes = [
  { name: 'pending', key: { _pendingSince: 1 }, partialFilterExpression: { _pendingSince: { $exists: true } } },
  { name: 'timers_due', key: { _dueAt: 1, companyId: 1 }, partialFilterExpression: { _dueAt: { $exists: true } } },
  {
    name: 'commands_to_take',
    key: { _takeAt: 1, companyId: 1 },
    partialFilterExpression: { _takeAt: { $exists: true } },
  },
] as const;

/** True of documents with nothing left to publish or execute; others are not removed by expiry. */
export const isIdle = { _pendingSince: { $exists: false }, _takeAt: { $exists: false } };

const noEffects: AnyEffects = { events: [], commands: [], timers: {} };

export function openOutbox(options: {
  cache: DocumentCache;
  relay: Pick<Relay, 'lease' | 'published'>;
  publish: OutboxPublisher['publish'];
  clock: Clock;
  encode: (event: unknown) => EncodedEvent;
  /** A write is reported as done once its events are published. */
  announced: boolean;
  work: LocalWork;
  published: PublishedOutboxes;
}) {
  const { cache, relay, clock, encode, announced, work, published } = options;

  function writeEvents(
    stored: StoredDocument | undefined,
    deleted: boolean,
    events: readonly unknown[],
  ): BookkeepingWrite | undefined {
    // A tombstone without events needs the relay as well: it is the one that removes it.
    const needsRelay = events.length > 0 || deleted;
    const left = stored && published.leftIn(stored);
    if (stored && left) return writeUnderLease(stored as unknown as Stored<Aggregate>, left, events, needsRelay);
    if (stored && !needsRelay) return undefined;
    const before = stored as (StoredDocument & Bookkeeping) | undefined;
    const { entries, counts } = entriesOf(events, encode, before?._eventCounts ?? {}, clock.now());
    const lease = needsRelay && isFree(before?._relay) ? relay.lease() : null;
    const last = announced ? entries.at(-1) : undefined;
    const follows = { ...(lease && { publishAs: lease.owner }), ...(last && { awaitedEvent: last.id }) };
    const pendingSince = { ...(needsRelay && !before?._pendingSince && { _pendingSince: new Date() }) };
    if (!before) return { set: { _eventCounts: counts, _outbox: entries, _relay: lease, ...pendingSince }, ...follows };
    return {
      set: { _eventCounts: counts, ...pendingSince, ...(lease && { _relay: lease }) },
      push: { _outbox: entries },
      // The process that holds the lease publishes these too, unless it has finished meanwhile: then they would have no owner.
      guard: { '_relay.owner': before._relay?.owner ?? null },
      ...follows,
    };
  }

  /** This process has published some of the entries and has the lease: what is left of them, and new ones, are written instead. */
  function writeUnderLease(
    stored: Bookkeeping,
    left: readonly OutboxEntry[],
    events: readonly unknown[],
    needsRelay: boolean,
  ): BookkeepingWrite {
    const owner = stored._relay?.owner ?? null;
    const guard = { '_relay.owner': owner };
    if (left.length === 0 && !needsRelay)
      return { set: { _outbox: [], _relay: null }, unset: ['_pendingSince'], guard };
    const { entries, counts } = entriesOf(events, encode, stored._eventCounts, clock.now());
    const last = announced ? entries.at(-1) : undefined;
    return {
      set: {
        _eventCounts: counts,
        _outbox: [...left, ...entries],
        _relay: { ...relay.lease(), owner },
        ...(left.length === 0 && { _pendingSince: new Date() }),
      },
      guard,
      ...(last && { awaitedEvent: last.id }),
    };
  }

  async function publish(written: StoredDocument, owner: string): Promise<void> {
    const outcome = await options.publish(written, owner);
    if (outcome === 'removed') cache.delete(written._id);
    if (outcome === 'cleared') cache.patch(written._id, (stored) => cleared(stored, owner));
  }

  return {
    /**
     * The fields to write with a decision; `kept` replaces the stored commands and timers, before the decision adds to them. `before`
     * is undefined for a new document. Undefined when there is nothing to add.
     */
    write(
      before: StoredDocument | undefined,
      deleted: boolean,
      effects: AnyEffects = noEffects,
      kept: Partial<CommandsAndTimers> = {},
    ): BookkeepingWrite | undefined {
      const stored = commandsAndTimersOf(before);
      const earlier = (kept.commands ?? stored.commands).filter((entry) => !work.isConfirmed(entry));
      const traceparent = effects.commands.length > 0 ? (currentTraceparent() ?? null) : null;
      const all = [...earlier, ...effects.commands.map((command) => newEntry(command, traceparent))];
      const commands = all.length > 0 ? work.claim(all) : all;
      // A deleted aggregate has nothing left to wait for, but what was commanded before is still executed.
      const timers = deleted ? [] : changeTimers(kept.timers ?? stored.timers, effects.timers);
      const waiting = commandAndTimerChanges(stored, { commands, timers }, work.isOrdered);
      // The relay removes a tombstone, so it is notified when the last command is done.
      const isFinal = deleted && commands.length === 0;
      const events = writeEvents(before, isFinal, effects.events);
      if (!waiting) return events;
      return {
        ...events,
        set: { ...events?.set, ...waiting.set },
        unset: [...(events?.unset ?? []), ...waiting.unset],
        hasLocalWork: true,
      };
    },
    /** Publishes and executes what was written; the write is reported as done when the promise resolves. */
    afterWrite(
      written: StoredDocument,
      { publishAs, awaitedEvent, hasLocalWork }: BookkeepingWrite,
    ): Promise<void> | undefined {
      const announcement = awaitedEvent === undefined ? undefined : relay.published(awaitedEvent);
      published.onWritten(written);
      // The relay logs what fails, and the sweep repeats it.
      if (publishAs !== undefined) publish(written, publishAs).catch(() => undefined);
      if (hasLocalWork) work.start(written);
      return announcement;
    },
  };
}

/** The commands and timers of a document. */
export function commandsAndTimersOf(stored: StoredDocument | undefined): CommandsAndTimers {
  const { _commands = [], _timers = [] } = (stored ?? {}) as Partial<Bookkeeping>;
  return { commands: _commands, timers: _timers };
}

/** Undefined when neither commands nor timers have changed. */
function commandAndTimerChanges(before: CommandsAndTimers, after: CommandsAndTimers, isOrdered: IsOrdered) {
  const commandsSame = sameItems(before.commands, after.commands);
  const timersSame = sameItems(before.timers, after.timers);
  if (commandsSame && timersSame) return undefined;
  const fields: Record<string, unknown> = {
    ...(!commandsSame && {
      _commands: after.commands.length > 0 ? after.commands : undefined,
      _takeAt: takeAt(after.commands, isOrdered),
    }),
    ...(!timersSame && { _timers: after.timers.length > 0 ? after.timers : undefined }),
    _dueAt: earliestDue(after),
  };
  const entries = Object.entries(fields);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    unset: entries.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** When, by the product's clock, something in the document is due: a timer, or the retry of a command. */
function earliestDue({ commands, timers }: CommandsAndTimers): Date | undefined {
  const times = [...timers.map(({ at }) => at), ...commands.flatMap(({ retry }) => (retry ? [retry.at] : []))];
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((at) => at.getTime())));
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** A document whose entries, published under the lease of this owner, were cleared. */
function cleared(stored: StoredDocument, owner: string): StoredDocument {
  const { _relay, _pendingSince: _, ...rest } = stored as StoredDocument & Bookkeeping;
  return _relay?.owner === owner ? { ...rest, _outbox: [], _relay: null } : stored;
}

/** An event as bytes: its type and the binary form of the type's message. */
export interface EncodedEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Well below what NATS takes: an event that cannot be published must not be stored either. */
const EVENT_BYTES_MAX = 512 * 1024;

/** The entries of events with their sequences, and how many events the aggregate has had of each noun then. */
function entriesOf(
  events: readonly unknown[],
  encode: (event: unknown) => EncodedEvent,
  countsBefore: Readonly<Record<string, number>>,
  now: Date,
): { entries: OutboxEntry[]; counts: Record<string, number> } {
  const counts = { ...countsBefore };
  const actor = currentActor();
  const entries = events.map((event): OutboxEntry => {
    const { type, data } = encode(event);
    if (data.byteLength > EVENT_BYTES_MAX) throw new Error(`${type} of ${data.byteLength} bytes is too large`);
    const sequence = (counts[nounOf(type)] ?? 0) + 1;
    counts[nounOf(type)] = sequence;
    const audit = auditOf(event);
    return {
      id: newId('evt'),
      type,
      sequence,
      occurredAt: now,
      traceparent: currentTraceparent() ?? null,
      data: new Binary(data),
      ...(actor && { actor }),
      ...(audit && { audit: JSON.stringify(audit) }),
    };
  });
  return { entries, counts };
}
