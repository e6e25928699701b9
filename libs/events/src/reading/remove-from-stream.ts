import { DeliverPolicy } from '@nats-io/jetstream';
import type { Broker } from '../broker/broker.ts';
import { decodeIfEvent, type Event } from '../event/envelope.ts';

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
