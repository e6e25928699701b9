import { type Clock, systemClock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import type { CommandHandlers, CommandOptions, RunningCommands, AnyHandlers } from '../commands/command-handlers.ts';
import { type Documents, type DocumentsOptions, openCollection } from '../documents/documents.ts';
import { type Outbox, openOutbox, type EncodedEvent, type LocalWork } from '../outbox/outbox.ts';
import { publishedOutboxes, type RemovalDelay } from '../relay/published-outboxes.ts';
import type { Relay } from '../relay/relay.ts';
import type { Aggregate, Stored, AnyCommand, Bookkeeping } from '../stored/bookkeeping.ts';
import { documentCache, type DocumentCache } from '../stored/document-reader.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import {
  type TimerHandlers,
  type TimerOptions,
  type AnyTimerHandlers,
  pullBackDueTimes,
  timerFiring,
} from '../timers/timer-firing.ts';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Collection } from 'mongodb';
import { COMMAND_LEASE_MS, type CommandRunner, commandRunner } from '../commands/command-runner.ts';
import { type DueDocuments, startDueDocuments } from '../due/due-documents.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';

/** The collection of aggregates of a kind, and the encoding of their events. */
export interface AggregatesOptions<Event> extends DocumentsOptions {
  relay: Relay;
  clock: Clock;
  encode: (event: Event) => EncodedEvent;
  /**
   * A write is reported as done once its events are published, so that services that cache answers about the aggregate have dropped
   * them by then (`cachedAnswers` of @parley/events). For what changes rarely. A broker that is unreachable delays nothing.
   */
  announced?: boolean;
  /** How long published events wait for another write of their document, such as that of a command which takes longer than their publication. */
  removalDelayMs?: RemovalDelay;
}

/** All aggregates of a kind: documents whose events, commands and timers are written in the same update as their state. */
export interface Aggregates<
  State extends Aggregate,
  Event,
  Command extends AnyCommand = never,
  Timer extends string = never,
> extends Documents<State, Effects<Event, Command, Timer>> {
  /** Fires timers when they are due, each once, in however many processes. */
  startTimers(handlers: TimerHandlers<State, Event, Command, Timer>, options?: TimerOptions<State>): RunningTimers;
  /** Executes commands in their order, those of other aggregates concurrently. A process starts this once. */
  startCommands<Results extends Record<Command['kind'], unknown>>(
    handlers: CommandHandlers<State, Event, Command, Timer, Results>,
    options?: CommandOptions,
  ): RunningCommands;
}
/**
 * Published events wait this long for another write of their document, which also removes them. What another replica adds meanwhile is
 * published only then, so it is short.
 */
const REMOVAL_DELAY_MS: RemovalDelay = { min: 0, max: 100 };

/** Opens a collection of aggregates and adds it to the sweep of the relay. */
export async function openAggregates<
  State extends Aggregate,
  Event,
  Command extends AnyCommand = never,
  Timer extends string = never,
>(options: AggregatesOptions<Event>): Promise<Aggregates<State, Event, Command, Timer>> {
  const { db, relay, clock, encode, announced = false, recentMax, removalDelayMs = REMOVAL_DELAY_MS } = options;
  const cache = documentCache(recentMax);
  const work = aggregateWork({
    collection: db.collection<StoredDocument>(options.collection),
    cache,
    relay,
    clock,
    writer: () => writer,
    outbox: () => outbox,
  });
  const published = publishedOutboxes({
    delayMs: removalDelayMs,
    // Only of cached documents, which are written without being read.
    ...(recentMax && { removeFrom: (id, isWanted) => writer.removeFinished(id, isWanted) }),
  });
  const outbox: Outbox = openOutbox({
    cache,
    relay,
    publish: (written, owner) => publisher.publish(written, owner),
    clock,
    encode: encode as (event: unknown) => EncodedEvent,
    announced,
    work,
    published,
  });
  const { writer, documents } = await openCollection<State, Effects<Event, Command, Timer>>(options, cache, outbox);
  const publisher = relay.watch(db.collection<Stored<Aggregate>>(options.collection), published);
  return {
    ...documents,
    startTimers: (handlers, limits) =>
      work.startTimers(handlers as never, limits as TimerOptions<Aggregate> | undefined),
    startCommands: (handlers, limits) => work.startCommands(handlers as never, limits),
  };
}

/** Timers that fire until they are stopped. `pollNow`: timers that were held back may fire now; without it they are found by the next poll. */
type RunningTimers = Pick<DueDocuments, 'pollNow' | 'stop'>;

/** Past this, a timer that is due counts as late. */
const LATE_MS = 5000;

/** The timers and commands of a collection: what its writes start here, and what other processes have left. */
function aggregateWork(options: {
  collection: Collection<StoredDocument>;
  cache: DocumentCache;
  relay: Pick<Relay, 'backgroundWork' | 'telemetry' | 'restoredAt'>;
  clock: Clock;
  /** Known once the collection is open. */
  writer: () => DocumentWriter;
  outbox: () => Outbox;
}) {
  const { collection, cache, relay, clock } = options;
  const { backgroundWork, telemetry, restoredAt } = relay;
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
      const opened = { writer, outbox, cache, handlers, clock, backgroundWork, telemetry, restoredAt };
      const started = commandRunner({ ...opened, ...limits });
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
