import { DeliverPolicy } from '@nats-io/jetstream';
import type { Broker } from '../broker/broker.ts';
import { decodeIfEvent, type Event } from '../event/envelope.ts';

/** Some events of a partition and noun, read a second time. */
export interface EventPage {
  readonly events: readonly { readonly event: Event; readonly streamSequence: number }[];
  /** Everything up to this sequence has been read. */
  readonly upTo: number;
  /** There was nothing more in the stream. */
  readonly isLast: boolean;
}

const PAGE = 100;
const PAGE_EXPIRES_MS = 5000;

/** Reads the events of a partition and noun from a sequence on, a page at a time, while others are being read as usual. */
export async function* readEventPages(options: {
  broker: Broker;
  service: string;
  noun: string;
  partition: number;
  from: number;
  /** The last sequence that the stream is known to have. */
  writtenUpTo: () => number;
}): AsyncGenerator<EventPage> {
  const { broker, service, noun, partition, from, writtenUpTo } = options;
  // The one that failed, most often; if it fails again, nothing else is needed.
  const first = await broker
    .unlessLost(() => broker.manager.streams.getMessage(broker.stream(service), { seq: from }))
    .catch(() => null);
  if (first) yield { events: eventsIn([first]), upTo: from, isLast: false };
  const written = writtenUpTo();
  const { consumer, pending, remove } = await broker.addConsumer(service, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: first ? from + 1 : from,
    filter_subjects: broker.eventFilters(service, noun, [partition]),
  });
  try {
    let upTo = from - 1;
    for (let left = pending; left > 0;) {
      const wanted = { max_messages: Math.min(PAGE, left), expires: PAGE_EXPIRES_MS };
      const messages = await Array.fromAsync(await consumer.fetch(wanted));
      const last = messages.at(-1);
      if (!last) throw new Error('the stream does not answer');
      upTo = last.info.streamSequence;
      left = last.info.pending;
      yield { events: eventsIn(messages), upTo, isLast: false };
    }
    yield { events: [], upTo: Math.max(upTo, written), isLast: true };
  } finally {
    remove();
  }
}

function eventsIn(messages: readonly { data: Uint8Array; seq: number }[]): EventPage['events'] {
  return messages.flatMap((message) => {
    const event = decodeIfEvent(message.data);
    return event ? [{ event, streamSequence: message.seq }] : [];
  });
}

/** Messages that one call reads. */
const PORTION = 1000;
const FETCH_EXPIRES_MS = 5000;

/**
 * Removes events from the own stream of a service, a bounded portion at a time, and overwrites them on the disk. `from` is
 * the first sequence; returns the next one, or undefined when everything until now has been read. Followers that have not
 * read a removed event treat it as a gap.
 */
export async function removeFromStream(
  broker: Broker,
  service: string,
  from: number,
  fits: (event: Event) => Promise<boolean>,
): Promise<number | undefined> {
  const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(from, 1) };
  const { consumer, pending, remove } = await broker.addConsumer(service, start);
  const deleteMessage = (sequence: number) =>
    broker.unlessLost(() => broker.manager.streams.deleteMessage(broker.stream(service), sequence, true));
  try {
    if (pending === 0) return undefined;
    let next = from;
    let left = pending;
    const wanted = { max_messages: Math.min(PORTION, pending), expires: FETCH_EXPIRES_MS };
    for await (const message of await consumer.fetch(wanted)) {
      const { streamSequence } = message.info;
      next = streamSequence + 1;
      left = message.info.pending;
      const event = decodeIfEvent(message.data);
      if (event && (await fits(event))) await deleteMessage(streamSequence);
    }
    if (next === from) throw new Error('the stream does not answer');
    return left === 0 ? undefined : next;
  } finally {
    remove();
  }
}
