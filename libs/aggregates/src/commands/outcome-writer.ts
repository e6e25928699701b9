import type { Clock } from '@parley/clock';
import { collidedIndex } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import type { CommandEntry } from '../stored/command-entries.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import type { LeasedCommand } from './command-leases.ts';
import { type AnyHandlers, type Outcome, settleOutcomes } from './command-outcomes.ts';
import { outcomeQueue } from './outcome-queue.ts';

/** Settles commands in their documents. */
export interface OutcomeWriter {
  /** Resolves when the outcome is stored; rejects only for the outcome's own sake. */
  write(command: LeasedCommand, outcome: Outcome): Promise<void>;
  /** What a crashed process had started has an unknown outcome. `free`: the entries of a document without expired leases and retries. */
  settleAbandoned(id: string, free: (entries: readonly CommandEntry[]) => readonly CommandEntry[]): Promise<void>;
}

interface Finished {
  readonly aggregateId: string;
  readonly commandId: string;
  readonly outcome: Outcome;
}

const RETRY_MS = 1000;
const TRIES_MAX = 5;

export function outcomeWriter(options: {
  writer: DocumentWriter;
  outbox: Outbox;
  handlers: AnyHandlers;
  clock: Clock;
  log: Logger;
  isMine: (entry: CommandEntry) => boolean;
  isStopped: () => boolean;
}): OutcomeWriter {
  const { writer, outbox, handlers, clock, log, isMine, isStopped } = options;

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

  const queue = outcomeQueue<Finished>({ write: writeAll, isStopped, retryMs: RETRY_MS, triesMax: TRIES_MAX });
  return {
    write: ({ aggregateId, entry }, outcome) => queue({ aggregateId, commandId: entry.id, outcome }),
    settleAbandoned: (id, free) => settle(id, (entry) => (isAbandoned(entry) ? { type: 'unknown' } : undefined), free),
  };

  function isAbandoned({ startedAt, lease, retry, kind }: CommandEntry): boolean {
    return startedAt !== null && lease === null && retry === null && handlers[kind] !== undefined;
  }
}
