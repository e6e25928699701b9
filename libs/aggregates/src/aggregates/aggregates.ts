import type { Clock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import type { CommandHandlers, CommandOptions, RunningCommands } from '../commands/command-handlers.ts';
import { type Documents, type DocumentsOptions, openCollection } from '../documents/documents.ts';
import type { EncodedEvent } from '../outbox/event-entries.ts';
import { type Outbox, openOutbox } from '../outbox/outbox.ts';
import { publishedOutboxes, type RemovalDelay } from '../relay/published-outboxes.ts';
import type { Relay } from '../relay/relay.ts';
import type { Aggregate, Stored } from '../stored/bookkeeping.ts';
import type { AnyCommand } from '../stored/command-entries.ts';
import { documentCache } from '../stored/document-cache.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { TimerHandlers, TimerOptions } from '../timers/timer-firing.ts';
import { aggregateWork, type RunningTimers } from './aggregate-work.ts';

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
