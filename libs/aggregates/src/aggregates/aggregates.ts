import { type Clock, systemClock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Collection } from 'mongodb';
import type { CommandHandlers, CommandOptions, RunningCommands } from '../commands/command-handlers.ts';
import { COMMAND_LEASE_MS, type CommandRunner, commandRunner } from '../commands/command-runner.ts';
import { type Documents, type DocumentsOptions, openCollection } from '../documents/documents.ts';
import type { EncodedEvent } from '../outbox/event-entries.ts';
import { type LocalWork, openOutbox } from '../outbox/outbox.ts';
import { publishedOutboxes, type RemovalDelay } from '../relay/published-outboxes.ts';
import type { Relay } from '../relay/relay.ts';
import type { Aggregate, Bookkeeping, Stored } from '../stored/bookkeeping.ts';
import type { AnyCommand } from '../stored/command-entries.ts';
import { documentCache } from '../stored/document-cache.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type DueDocuments, startDueDocuments } from '../due/due-documents.ts';
import { pullBackDueTimes, timerFiring, type TimerHandlers, type TimerOptions } from '../timers/timer-firing.ts';

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

/** Something that runs until it is stopped. */
export interface Running {
  /** Starts nothing new, and waits for work in progress. */
  stop(): Promise<void>;
}

/** Timers that fire until they are stopped. */
export interface RunningTimers extends Running {
  /** Timers that were held back may fire now; without it they are found by the next poll. */
  pollNow(): void;
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
/** Past this, a timer that is due counts as late. */
const LATE_MS = 5000;
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
  const { db, relay, clock, encode } = options;
  const { backgroundWork, telemetry } = relay;
  const collection = db.collection<Stored<Aggregate>>(options.collection);
  let runner: CommandRunner | undefined;
  let waking: DueDocuments | undefined;
  let leaseMs = COMMAND_LEASE_MS;
  const work: LocalWork = {
    isOrdered: (kind) => runner?.isOrdered(kind) ?? true,
    isConfirmed: (entry) => runner?.isConfirmed(entry) ?? false,
    claim: (entries) => runner?.claim(entries) ?? entries,
    start(written) {
      const { _id: id, companyId = '', _dueAt: at } = written as StoredDocument & Partial<Bookkeeping>;
      if (at) waking?.expect({ id, companyId, at });
      runner?.start(written);
    },
  };
  const cache = documentCache(options.recentMax);
  const published = publishedOutboxes({
    delayMs: options.removalDelayMs ?? REMOVAL_DELAY_MS,
    // Only of cached documents, which are written without being read.
    ...(options.recentMax && {
      removeFrom: (id, isWanted) => writer.removeFinished(id, isWanted),
    }),
  });
  const outbox = openOutbox({
    cache,
    relay,
    publish: (written, owner) => publisher.publish(written, owner),
    clock,
    encode: encode as (event: unknown) => EncodedEvent,
    announced: options.announced ?? false,
    work,
    published,
  });
  const opened = await openCollection<State, Effects<Event, Command, Timer>>(options, cache, outbox);
  const { writer, collection: documentCollection, documents } = opened;
  const publisher = relay.watch(collection, published);
  const timers = timerFiring({ writer, outbox, clock, log: telemetry.log });
  const common = { collection: documentCollection, backgroundWork, telemetry, quietPollMs: () => leaseMs };
  /** Timers and retries of commands are due by the same clock and found by the same index. */
  const startWaking = (): DueDocuments => {
    const started = startDueDocuments({
      ...common,
      field: '_dueAt',
      index: 'timers_due',
      clock,
      pullBack: (now) => pullBackDueTimes(documentCollection, now),
      async wake(id) {
        const isDone = await timers.fire(id);
        await runner?.takeOver(id);
        return isDone;
      },
    });
    observe('parley_timers_late', () => started.count(new Date(clock.now().getTime() - LATE_MS)));
    return started;
  };
  const observe = (name: string, count: () => Promise<number>) =>
    telemetry.meter
      .createObservableGauge(name)
      .addCallback(async (result) => result.observe(await count(), { collection: options.collection }));

  return {
    ...documents,
    startTimers(handlers, limits) {
      timers.use(handlers as never, limits as TimerOptions<Aggregate> | undefined);
      // What was looked for before there were handlers is looked for again.
      waking?.pollNow();
      const started = (waking ??= startWaking());
      return { stop: () => started.stop(), pollNow: started.pollNow };
    },
    startCommands(handlers, limits = {}) {
      if (runner) throw new Error(`the commands of ${options.collection} are executed already`);
      leaseMs = limits.leaseMs ?? COMMAND_LEASE_MS;
      const started = commandRunner({
        writer,
        outbox,
        cache,
        handlers: handlers as never,
        clock,
        backgroundWork,
        telemetry,
        ...limits,
      });
      runner = started;
      const retries = (waking ??= startWaking());
      const sweep = startDueDocuments({
        ...common,
        field: '_takeAt',
        index: 'commands_to_take',
        clock: systemClock,
        where() {
          const kinds = started.kinds();
          return kinds.length > 0 ? { '_commands.kind': { $in: kinds } } : undefined;
        },
        async wake(id) {
          await started.takeOver(id);
          return true;
        },
      });
      observe('parley_commands_pending', () => countPending(documentCollection));
      return {
        pollNow: sweep.pollNow,
        async stop() {
          await sweep.stop();
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
