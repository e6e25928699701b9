import type { BackgroundWork } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import { batching } from '@parley/queues';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Broker } from '../broker/broker.ts';
import { type DeadLetters, openDeadLetters } from '../applying/dead-letters.ts';
import { type Event, nounOf } from '../event/envelope.ts';
import { startEventApplier } from '../applying/event-applier.ts';
import type { DecodedEvent, EventHandler, EventHandlers, EventsHandler } from './event-handler.ts';
import { decodeMessage, type EventType, isEventType } from '../event/event-types.ts';
import { type Cursors, openFollowerState } from '../partitions/follower-state-store.ts';
import { joinFollower } from '../partitions/membership.ts';
import { openPositions } from '../applying/positions-store.ts';
import { readEventPages } from '../reading/event-pages.ts';
import { type ReadEvent, startStreamReader, type StreamReader } from '../reading/stream-reader.ts';

export interface FollowerOptions {
  /** `<service>-<purpose>`; the same in every replica. */
  name: string;
  broker: Broker;
  db: Db;
  /** Event type to handler; the first segment of a type is the stream. */
  handlers: EventHandlers;
  /** Applies what arrives together, instead of the handlers; those apply single events, and each of them when this fails. */
  handleTogether?: EventsHandler;
  /** Whether these are events of all aggregates (default), or of one: a slow one then does not delay the others. */
  togetherOf?: 'all' | 'aggregate';
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
  /**
   * Selects the events to apply; the others cost no further work. Only for handlers that need not see every event of an aggregate:
   * gaps are normal then, and not waited for.
   */
  relevant?: (events: readonly Event[]) => Promise<readonly boolean[]>;
  /** The nouns of which some events may not matter; all of them unless given. */
  relevantNouns?: readonly string[];
  /**
   * True for an event that the handler recognises when it is applied again, by what it has written. Positions of such events cost less:
   * those within a minute after the first one of an aggregate are applied without reading it, and it is saved after the next one has begun.
   */
  recognises?: (event: Event) => boolean;
  /** The attempts of a failing event before it becomes a dead letter; the next ones of its aggregate wait as long. */
  triesMax?: number;
  retryDelayMs?: (tries: number) => number;
  /** An event waits this long for a missing predecessor before the gap is accepted. */
  gapWaitMs?: number;
  /** Under load, events are collected for this time, so that many share a round trip to the database. */
  waitMs?: number;
  /** Events that arrive sooner after the last ones wait for the rest of this time; those after a pause do not wait. */
  spacingMs?: number;
}

/** A follower that runs until it is stopped. */
export interface Follower {
  readonly name: string;
  readonly deadLetters: DeadLetters;
  /** The partitions of this replica, if every event of them that was published before has been applied; none otherwise. */
  caughtUp(): Promise<readonly number[]>;
  /** Finishes started events; the rest is left to another replica or the next start. */
  stop(): Promise<void>;
}

/** With the delays below this is a little more than six minutes. */
const TRIES_MAX = 20;
const retryDelay = (tries: number) => Math.min(100 * 2 ** tries, 30_000);
const GAP_WAIT_MS = 10_000;
const CHECKPOINT_EVERY_MS = 1000;

/**
 * Follows the events of other services: each is applied once, in order within its aggregate and noun. Replicas share the
 * partitions. A broker that lost its data is no problem: the follower's own positions identify new events.
 */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { name, broker, db, handlers, handleTogether, backgroundWork, telemetry, relevant, relevantNouns } = options;
  const { triesMax = TRIES_MAX, retryDelayMs = retryDelay } = options;
  const { gapWaitMs = GAP_WAIT_MS, waitMs = batching.events.waitMs } = options;
  const { log } = telemetry;
  const delay = telemetry.meter.createHistogram('parley_follower_delay_seconds', { unit: 's' });
  const receiveDelay = telemetry.meter.createHistogram('parley_follower_receive_delay_seconds', { unit: 's' });
  const applyDelay = telemetry.meter.createHistogram('parley_follower_apply_delay_seconds', { unit: 's' });
  const saved = options.recognises ? batching.recognisedPositions : batching.positions;
  const positions = await openPositions(db, name, backgroundWork, log, saved);
  const deadLetters = await openDeadLetters(db, name, { apply, handles: (type) => type in handlers }, telemetry);
  const state = openFollowerState(db, name);
  const readers = new Map<string, StreamReader>();
  let assigned: readonly number[] = [];
  let checkpointed = '';
  /** The id of this replica; undefined before it has partitions. */
  let ownId: string | undefined;
  /** Set once events were read or applied since the cursors were last saved. */
  let saving: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function apply(event: Event): Promise<void> {
    if (!isEventType(event.type)) return;
    const type = event.type;
    const handler = handlers[type] as EventHandler<EventType> | undefined;
    if (!handler) return;
    delay.record(Math.max(0, Date.now() - event.occurredAt.getTime()) / 1000, { follower: name });
    await telemetry.span(
      `${name} ${event.type}`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(event.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      },
      () => handler(decodeMessage(type, event.data), event),
    );
  }

  async function applyTogether(events: readonly Event[]): Promise<void> {
    const handled = events.filter(({ type }) => type in handlers);
    if (handled.length === 0) return;
    for (const { occurredAt } of handled)
      delay.record(Math.max(0, Date.now() - occurredAt.getTime()) / 1000, { follower: name });
    await telemetry.span(
      `${name} events`,
      {
        kind: SpanKind.CONSUMER,
        parent: contextFrom(handled[0]!.traceparent),
        attributes: { 'messaging.system': 'nats', 'messaging.batch.message_count': handled.length },
      },
      () => handleTogether!(handled.map(decoded)),
    );
  }

  const applier = startEventApplier({
    follower: name,
    positions,
    deadLetters,
    backgroundWork,
    log,
    apply,
    applyTogether: handleTogether && applyTogether,
    togetherOf: options.togetherOf,
    relevant,
    relevantNouns,
    recognises: options.recognises,
    triesMax,
    retryDelayMs,
    gapWaitMs,
    waitMs,
    spacingMs: options.spacingMs,
    onApplied: ({ receivedAtMs }) => applyDelay.record((performance.now() - receivedAtMs) / 1000, { follower: name }),
    streamCreated: (service) => readers.get(service)?.stream() ?? '',
    readEventPages: (of) =>
      readEventPages({ broker, ...of, writtenUpTo: () => readers.get(of.service)?.readUpTo() ?? 0 }),
  });

  function accept(read: ReadEvent): void {
    receiveDelay.record(Math.max(0, Date.now() - read.publishedAt.getTime()) / 1000, { follower: name });
    saveCursorsSoon();
    applier.accept({
      ...read,
      done() {
        read.done();
        saveCursorsSoon();
      },
    });
  }

  const types = Object.keys(handlers);
  for (const [service, own] of Map.groupBy(types, (type) => type.split('.')[0] ?? '')) {
    // Until there were partitions, the replicas of a follower shared a durable consumer of its name.
    if (broker.connected()) void broker.manager.consumers.delete(broker.stream(service), name).catch(() => undefined);
    const reader = startStreamReader({
      service,
      nouns: [...new Set(own.map(nounOf))],
      broker,
      log,
      waitForCapacity: applier.waitForCapacity,
      onEvent: accept,
      onRewind: applier.discardWaiting,
    });
    readers.set(service, reader);
  }

  async function checkpoint(member: string, partitions: readonly number[]): Promise<void> {
    const all = [...readers].map(([service, reader]) => {
      const own = Object.entries(reader.cursors()).filter(([partition]) => partitions.includes(Number(partition)));
      return [service, Object.fromEntries(own)] as const;
    });
    const cursors: Cursors = Object.fromEntries(all);
    const fingerprint = JSON.stringify(cursors);
    if (fingerprint === checkpointed) return;
    // False: another replica has taken over; the assignment will follow.
    if (await state.writeCursors(member, partitions, cursors)) checkpointed = fingerprint;
  }

  function saveCursorsSoon(): void {
    if (isStopped) return;
    saving ??= setTimeout(() => {
      saving = undefined;
      if (assigned.length === 0 || ownId === undefined) return;
      checkpoint(ownId, assigned).catch((error: unknown) => {
        saveCursorsSoon();
        if (!isUnreachable(error)) log.warn({ err: error, follower: name }, 'cursors not saved; retrying');
      });
    }, CHECKPOINT_EVERY_MS);
  }

  async function onAssigned(partitions: readonly number[], member: string): Promise<void> {
    ownId = member;
    const kept = assigned.filter((partition) => partitions.includes(partition));
    const added = partitions.filter((partition) => !assigned.includes(partition));
    await applier.drop(kept);
    if (assigned.length > 0) await checkpoint(member, assigned);
    const cursors = added.length > 0 ? await state.readCursors() : {};
    await applier.add(added);
    assigned = partitions;
    for (const [service, reader] of readers) reader.assign(partitions, cursors[service] ?? {});
    saveCursorsSoon();
  }

  const membership = await joinFollower({ follower: name, broker, state, log, onAssigned });
  const pending = async () => {
    const unread = await Promise.all([...readers.values()].map((reader) => reader.backlog()));
    return unread.reduce((sum, count) => sum + count, applier.waiting() + applier.behind());
  };
  backgroundWork.addBacklog(pending);
  const gauge = (gaugeName: string, value: () => number | Promise<number>) =>
    telemetry.meter
      .createObservableGauge(gaugeName)
      .addCallback(async (result) => result.observe(await value(), { follower: name }));
  gauge('parley_follower_pending', pending);
  gauge('parley_follower_behind', applier.behind);
  gauge('parley_follower_partitions', () => assigned.length);

  return {
    name,
    deadLetters,
    async caughtUp() {
      const read = await Promise.all([...readers.values()].map((reader) => reader.caughtUp()));
      // Those that come meanwhile do not matter: under load there are always some.
      if (!(await applier.settled()) || applier.behind() > 0) return [];
      return assigned.filter((partition) => read.every((partitions) => partitions.includes(partition)));
    },
    async stop() {
      isStopped = true;
      applier.stop();
      await membership
        .stop()
        .catch((error: unknown) =>
          log.warn({ err: error, follower: name }, 'partitions not released; their lease ends'),
        );
      await Promise.all([...readers.values()].map((reader) => reader.stop()));
      clearTimeout(saving);
      await positions.stop();
    },
  };
}

/** Of a type that has a handler. */
function decoded(event: Event): DecodedEvent {
  const type = event.type as EventType;
  return { type, message: decodeMessage(type, event.data), event } as DecodedEvent;
}
