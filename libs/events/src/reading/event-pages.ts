import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import { decodeEvent, type Event } from '../event/envelope.ts';

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
const INACTIVE_MS = 30_000;

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
  const stream = broker.stream(service);
  // The one that failed, most often; if it fails again, nothing else is needed.
  const first = await broker
    .unlessLost(() => broker.manager.streams.getMessage(stream, { seq: from }))
    .catch(() => null);
  if (first) yield { events: decodeAll([first]), upTo: from, isLast: false };
  const written = writtenUpTo();
  const info = await broker.unlessLost(() =>
    broker.manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: first ? from + 1 : from,
      filter_subjects: broker.eventFilters(service, noun, [partition]),
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    }),
  );
  const consumer = broker.jetstream.consumers.getConsumerFromInfo(info);
  try {
    for (let left = info.num_pending, upTo = from - 1; ;) {
      if (left === 0) return yield { events: [], upTo: Math.max(upTo, written), isLast: true };
      const messages = [];
      for await (const message of await consumer.fetch({
        max_messages: Math.min(PAGE, left),
        expires: PAGE_EXPIRES_MS,
      })) {
        messages.push(message);
        upTo = message.info.streamSequence;
        left = message.info.pending;
      }
      if (messages.length === 0) throw new Error('the stream does not answer');
      yield { events: decodeAll(messages.map(({ data, seq }) => ({ data, seq }))), upTo, isLast: false };
    }
  } finally {
    if (broker.connected()) void consumer.delete().catch(() => undefined);
  }
}

/** Messages that are not events were logged when they were read for the first time. */
function decodeAll(messages: readonly { data: Uint8Array; seq: number }[]): EventPage['events'] {
  return messages.flatMap(({ data, seq }) => {
    try {
      return [{ event: decodeEvent(data), streamSequence: seq }];
    } catch {
      return [];
    }
  });
}
