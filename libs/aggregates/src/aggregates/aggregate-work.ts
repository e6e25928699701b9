import { type Clock, systemClock } from '@parley/clock';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Collection } from 'mongodb';
import type { CommandOptions, RunningCommands, AnyHandlers } from '../commands/command-handlers.ts';
import { COMMAND_LEASE_MS, type CommandRunner, commandRunner } from '../commands/command-runner.ts';
import { type DueDocuments, startDueDocuments } from '../due/due-documents.ts';
import type { LocalWork, Outbox } from '../outbox/outbox.ts';
import type { Relay } from '../relay/relay.ts';
import type { Aggregate, Bookkeeping } from '../stored/bookkeeping.ts';
import type { DocumentCache } from '../stored/document-cache.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type AnyTimerHandlers, pullBackDueTimes, timerFiring, type TimerOptions } from '../timers/timer-firing.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';

/** Timers that fire until they are stopped. */
export interface RunningTimers {
  /** Timers that were held back may fire now; without it they are found by the next poll. */
  pollNow(): void;
  /** Starts nothing new, and waits for work in progress. */
  stop(): Promise<void>;
}

/** Past this, a timer that is due counts as late. */
const LATE_MS = 5000;

/** The timers and commands of a collection: what its writes start here, and what other processes have left. */
export function aggregateWork(options: {
  collection: Collection<StoredDocument>;
  cache: DocumentCache;
  relay: Pick<Relay, 'backgroundWork' | 'telemetry'>;
  clock: Clock;
  /** Known once the collection is open. */
  writer: () => DocumentWriter;
  outbox: () => Outbox;
}) {
  const { collection, cache, relay, clock } = options;
  const { backgroundWork, telemetry } = relay;
  let runner: CommandRunner | undefined;
  let timers: ReturnType<typeof timerFiring> | undefined;
  let dueTimes: DueDocuments | undefined;
  let leaseMs = COMMAND_LEASE_MS;
  const common = { collection, backgroundWork, telemetry, quietPollMs: () => leaseMs };

  function observe(name: string, count: () => Promise<number>): void {
    telemetry.meter
      .createObservableGauge(name)
      .addCallback(async (result) => result.observe(await count(), { collection: collection.collectionName }));
  }

  /** Timers and retries of commands are due by the same clock and found by the same index. */
  function startDueTimes(): DueDocuments {
    const started = startDueDocuments({
      ...common,
      field: '_dueAt',
      index: 'timers_due',
      clock,
      pullBack: (now) => pullBackDueTimes(collection, now),
      async wake(id) {
        const isDone = (await timers?.fire(id)) ?? true;
        await runner?.takeOver(id);
        return isDone;
      },
    });
    observe('parley_timers_late', () => started.count(new Date(clock.now().getTime() - LATE_MS)));
    return started;
  }

  /** Finds the commands whose process has crashed. */
  const startTakeOver = ({ kinds, takeOver }: CommandRunner) =>
    startDueDocuments({
      ...common,
      field: '_takeAt',
      index: 'commands_to_take',
      clock: systemClock,
      where: () => (kinds().length > 0 ? { '_commands.kind': { $in: kinds() } } : undefined),
      async wake(id) {
        await takeOver(id);
        return true;
      },
    });

  const local: LocalWork = {
    isOrdered: (kind) => runner?.isOrdered(kind) ?? true,
    isConfirmed: (entry) => runner?.isConfirmed(entry) ?? false,
    claim: (entries) => runner?.claim(entries) ?? entries,
    start(written) {
      const { _id: id, companyId = '', _dueAt: at } = written as StoredDocument & Partial<Bookkeeping>;
      if (at) dueTimes?.expect({ id, companyId, at });
      runner?.start(written);
    },
  };
  return {
    ...local,
    startTimers(handlers: AnyTimerHandlers, limits?: TimerOptions<Aggregate>): RunningTimers {
      timers ??= timerFiring({ writer: options.writer(), outbox: options.outbox(), clock, log: telemetry.log });
      timers.use(handlers, limits);
      // What was looked for before there were handlers is looked for again.
      dueTimes?.pollNow();
      return (dueTimes ??= startDueTimes());
    },
    startCommands(handlers: AnyHandlers, limits: CommandOptions = {}): RunningCommands {
      if (runner) throw new Error(`the commands of ${collection.collectionName} are executed already`);
      leaseMs = limits.leaseMs ?? COMMAND_LEASE_MS;
      const [writer, outbox] = [options.writer(), options.outbox()];
      const started = commandRunner({ writer, outbox, cache, handlers, clock, backgroundWork, telemetry, ...limits });
      runner = started;
      const retries = (dueTimes ??= startDueTimes());
      const takeOver = startTakeOver(started);
      observe('parley_commands_pending', () => countPending(collection));
      return {
        pollNow: takeOver.pollNow,
        async stop() {
          await takeOver.stop();
          await started.stop();
          await retries.stop();
        },
      };
    },
  };
}

/** Documents with commands whose outcome is not written down yet; counts to 1,000. */
function countPending(collection: Collection<StoredDocument>): Promise<number> {
  const options = { limit: 1000, hint: 'commands_to_take', maxTimeMS: QUERY_TIME_MAX_MS };
  return collection.countDocuments({ _takeAt: { $exists: true } }, options);
}
