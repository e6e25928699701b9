import type { Effects } from '@parley/errors';
import type { ExtraWrite } from '../writes/document-writer.ts';
import type { StoredDocument } from '../writes/stored-document.ts';
import { currentTraceparent } from '@parley/telemetry';
import {
  type AnyCommand,
  type CommandEntry,
  type IsOrdered,
  newEntry,
  claimableAt,
} from '../bookkeeping/command-entries.ts';
import type { Bookkeeping } from '../bookkeeping/bookkeeping.ts';
import type { OutboxWrites } from './outbox-writes.ts';
import { changeTimers, type TimerEntry } from '../bookkeeping/timer-entries.ts';

/** The commands and timers of a document. */
export interface CommandsAndTimers {
  readonly commands: readonly CommandEntry[];
  readonly timers: readonly TimerEntry[];
}

/** What the parts that execute commands and fire timers do with every write. */
export interface WriteHooks {
  isOrdered: IsOrdered;
  /** Whether a command was executed and needs nothing more than to be removed. */
  isConfirmed(entry: CommandEntry): boolean;
  /** Takes what this process can execute at once: the same entries with leases. */
  claim(entries: readonly CommandEntry[]): readonly CommandEntry[];
  onWritten(written: StoredDocument): void;
}

export type SomeEffects = Effects<unknown, AnyCommand, string>;

const noEffects: SomeEffects = { events: [], commands: [], timers: {} };

/** Builds the bookkeeping part of an aggregate's writes: events, commands, timers. */
export interface AggregateWrites {
  /** The write for a decision. `kept` replaces the stored commands and timers, before the decision adds to them. */
  write(
    before: StoredDocument | undefined,
    deleted: boolean,
    effects?: SomeEffects,
    kept?: Partial<CommandsAndTimers>,
  ): ExtraWrite | undefined;
}

export const commandAndTimerFields = ['_commands', '_takeAt', '_timers', '_dueAt'] as const;

/** These contain only documents with due work; by company as well, so that one company's load does not hide the others. */
export const commandAndTimerIndexes = [
  { name: 'timers_due', key: { _dueAt: 1, companyId: 1 }, partialFilterExpression: { _dueAt: { $exists: true } } },
  {
    name: 'commands_to_take',
    key: { _takeAt: 1, companyId: 1 },
    partialFilterExpression: { _takeAt: { $exists: true } },
  },
] as const;

export function aggregateWrites(outbox: OutboxWrites<unknown>, hooks: WriteHooks): AggregateWrites {
  return {
    write(before, deleted, effects = noEffects, kept = {}) {
      const stored = commandsAndTimersOf(before);
      const earlier = (kept.commands ?? stored.commands).filter((entry) => !hooks.isConfirmed(entry));
      const traceparent = effects.commands.length > 0 ? (currentTraceparent() ?? null) : null;
      const all = [...earlier, ...effects.commands.map((command) => newEntry(command, traceparent))];
      const commands = all.length > 0 ? hooks.claim(all) : all;
      // A deleted aggregate has nothing left to wait for, but what was commanded before is still executed.
      const timers = deleted ? [] : changeTimers(kept.timers ?? stored.timers, effects.timers);
      const waiting = commandAndTimerChanges(stored, { commands, timers }, hooks.isOrdered);
      // The relay removes a tombstone, so it is notified when the last command is done.
      const isFinal = deleted && commands.length === 0;
      const events = outbox.write(before, isFinal, effects.events);
      if (!waiting) return events;
      return {
        ...events,
        set: { ...events?.set, ...waiting.set },
        unset: waiting.unset,
        onWritten(written) {
          const published = events?.onWritten?.(written);
          hooks.onWritten(written);
          return published;
        },
      };
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
      _takeAt: claimableAt(after.commands, isOrdered),
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
