import type { Clock } from '@parley/clock';
import type { Effects } from '@parley/errors';
import {
  type CompanyDocuments,
  type DocumentFilter,
  type Documents,
  type DocumentsOptions,
  openExtendedDocuments,
} from '@parley/store';
import type { Collection } from 'mongodb';
import type { Aggregate, Stored } from './document.ts';
import { type EncodedEvent, outboxWrites } from './outbox-writes.ts';
import type { Relay } from './relay.ts';

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

/** All aggregates of a kind: documents whose events, commands and timers are written in the same update as their state. */
export interface Aggregates<
  State extends Aggregate,
  Event,
  Command = never,
  Timer extends string = never,
> extends Documents<State, Effects<Event, Command, Timer>> {
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
  const collection = db.collection<Stored<Aggregate>>(options.collection);
  const outbox = outboxWrites({ collection, relay, clock, encode });
  const documents = await openExtendedDocuments<State, Effects<Event, Command, Timer>>(options, {
    fields: outboxFields,
    indexes: [pendingIndex],
    idle: { _pendingSince: { $exists: false } },
    write: (before, deleted, { events }) => outbox.write(before, deleted, events),
  });
  relay.watch(collection);
  return {
    of: documents.of,
    acrossCompanies: documents.acrossCompanies,
    collection: collection as unknown as Collection<Stored<State>>,
  };
}
