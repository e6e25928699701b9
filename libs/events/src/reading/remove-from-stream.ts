import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import { decodeEvent, type Event } from '../event/envelope.ts';

/** Messages that one call reads. */
const PORTION = 1000;
const FETCH_EXPIRES_MS = 5000;
const INACTIVE_MS = 30_000;

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
  const stream = broker.stream(service);
  const info = await broker.unlessLost(() =>
    broker.manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(from, 1),
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    }),
  );
  const consumer = broker.jetstream.consumers.getConsumerFromInfo(info);
  try {
    const wanted = Math.min(PORTION, info.num_pending);
    let next = from;
    let left = info.num_pending;
    if (wanted > 0)
      for await (const message of await consumer.fetch({ max_messages: wanted, expires: FETCH_EXPIRES_MS })) {
        next = message.info.streamSequence + 1;
        left = message.info.pending;
        const event = decoded(message.data);
        if (event && (await fits(event)))
          await broker.unlessLost(() =>
            broker.manager.streams.deleteMessage(stream, message.info.streamSequence, true),
          );
      }
    if (wanted > 0 && next === from) throw new Error('the stream does not answer');
    return left === 0 ? undefined : next;
  } finally {
    if (broker.connected()) void consumer.delete().catch(() => undefined);
  }
}

function decoded(data: Uint8Array): Event | undefined {
  try {
    return decodeEvent(data);
  } catch {
    return undefined;
  }
}
