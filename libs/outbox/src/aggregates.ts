import type { Clock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import {
  type CompanyDocuments,
  type DocumentFilter,
  type Documents,
  type DocumentsOptions,
  openExtendedDocuments,
  type StoredDocument,
} from '@parley/store';
import type { Collection } from 'mongodb';
import {
  aggregateWrites,
  commandAndTimerFields,
  commandAndTimerIndexes,
  type SomeEffects,
  type WriteHooks,
} from './aggregate-writes.ts';
import type { Aggregate, Bookkeeping, Stored } from './document.ts';
import { type DueDocuments, startDueDocuments } from './due-documents.ts';
import { type EncodedEvent, outboxWrites } from './outbox-writes.ts';
import type { Relay } from './relay.ts';
import { timerFiring, type TimerHandlers } from './timers.ts';

/** Where aggregates of a kind are kept, and what their events look like as bytes. */
export interface AggregatesOptions<Event> extends DocumentsOptions {
  relay: Relay;
  clock: Clock;
  encode: (event: Event) => EncodedEvent;
}

/** What of a company's aggregates a query may ask for; the company itself is not up to the query. */
export type CompanyFilter<State> = DocumentFilter<State>;

/** One company's aggregates of a kind. Another company's id is an unknown id here, by construction. */
export type CompanyAggregates<
  State extends Aggregate,
  Event,
  Command = never,
  Timer extends string = never,
> = CompanyDocuments<State, Effects<Event, Command, Timer>>;

/** Something that runs until it is stopped. */
export interface Running {
  /** Begins nothing new, and waits for what is in hand. */
  stop(): Promise<void>;
}

/** All aggregates of a kind: documents whose events, commands and timers are written in the same update as their state. */
export interface Aggregates<
  State extends Aggregate,
  Event,
  Command = never,
  Timer extends string = never,
> extends Documents<State, Effects<Event, Command, Timer>> {
  /** Fires timers when they are due, each once, in however many processes. */
  startTimers(handlers: TimerHandlers<State, Event, Command, Timer>): Running;
  readonly collection: Collection<Stored<State>>;
}

const outboxFields = ['_eventCounts', '_outbox', '_pendingSince', '_relay'];

const pendingIndex = {
  key: { _pendingSince: 1 },
  name: 'pending',
  partialFilterExpression: { _pendingSince: { $exists: true } },
} as const;

/** Opens a collection of aggregates and has the relay look after it. */
export async function openAggregates<State extends Aggregate, Event, Command = never, Timer extends string = never>(
  options: AggregatesOptions<Event>,
): Promise<Aggregates<State, Event, Command, Timer>> {
  const { db, relay, clock, encode } = options;
  const { backgroundWork, telemetry } = relay;
  const collection = db.collection<Stored<Aggregate>>(options.collection);
  let waking: DueDocuments | undefined;
  const hooks: WriteHooks = {
    isOrdered: () => true,
    claim: (entries) => entries,
    onWritten(written) {
      const { _id: id, companyId = '', _dueAt: at } = written as StoredDocument & Partial<Bookkeeping>;
      if (at) waking?.expect({ id, companyId, at });
    },
  };
  const outbox = outboxWrites({ collection, relay, clock, encode: encode as (event: unknown) => EncodedEvent });
  const writes = aggregateWrites(outbox, hooks);
  const documents = await openExtendedDocuments<State, SomeEffects>(options, {
    fields: [...outboxFields, ...commandAndTimerFields],
    indexes: [pendingIndex, ...commandAndTimerIndexes],
    idle: { _pendingSince: { $exists: false }, _takeAt: { $exists: false } },
    write: (before, deleted, effects) => writes.write(before, deleted, effects),
  });
  relay.watch(collection);
  const timers = timerFiring({ writer: documents.writer, writes, clock, log: telemetry.log });
  return {
    of: documents.of as unknown as Aggregates<State, Event, Command, Timer>['of'],
    acrossCompanies: documents.acrossCompanies as unknown as Aggregates<
      State,
      Event,
      Command,
      Timer
    >['acrossCompanies'],
    startTimers(handlers) {
      timers.use(handlers as never);
      waking ??= startDueDocuments({
        collection: documents.collection,
        clock,
        backgroundWork,
        telemetry,
        wake: (id) => timers.fire(id),
      });
      const started = waking;
      return { stop: () => started.stop() };
    },
    collection: collection as unknown as Collection<Stored<State>>,
  };
}
