import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import { encodeEvent } from '../event/envelope.ts';

let fixture: FollowerTest;
beforeEach(async () => void (fixture = await startFollowerTest()));
afterEach(() => fixture.end());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Publishes the way of versions without partitions. */
const publishOldStyle = async (...events: ReturnType<typeof contactEvent>[]) => {
  for (const event of events)
    await fixture.broker.jetstream.publish(fixture.broker.subject(event.type), encodeEvent(event), { msgID: event.id });
};

/** The durable consumer that replicas shared before there were partitions, with every message unacknowledged. */
async function leaveStuckConsumer(): Promise<void> {
  const { manager, jetstream, stream, subject } = fixture.broker;
  await manager.consumers.add(stream('directory'), {
    durable_name: 'test-contacts',
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    max_ack_pending: 5,
    filter_subjects: [subject('directory.contact.>')],
  });
  const consumer = await jetstream.consumers.get(stream('directory'), 'test-contacts');
  for await (const message of await consumer.fetch({ max_messages: 5, expires: 1000 })) message.nak(60_000);
}

describe('an upgrade to partitions', () => {
  it('recovers from a stuck consumer: everything is applied in order, and the consumer is removed', async () => {
    await publishOldStyle(...numbers(20).map((sequence) => contactEvent('a', sequence)), contactEvent('b', 1));
    await leaveStuckConsumer();
    const { applied } = await fixture.follow();
    await waitUntil(() => applied.length === 21, { what: 'all events' });
    expect(byAggregate(applied)).toEqual({ a: numbers(20), b: [1] });
    const { manager, stream } = fixture.broker;
    await expect(manager.consumers.info(stream('directory'), 'test-contacts')).rejects.toThrow('consumer not found');
  });

  it('applies nothing twice that was applied before it, and keeps the order across it', async () => {
    const old = numbers(5).map((sequence) => contactEvent('a', sequence));
    await publishOldStyle(...old);
    await fixture.db
      .collection<{ _id: string; sequence: number; ahead: number[]; at: Date }>('follower_positions')
      .insertOne({ _id: 'test-contacts:a:contact', sequence: 3, ahead: [], at: new Date() });
    await fixture.publish(...[6, 7].map((sequence) => contactEvent('a', sequence)));
    // A replica of the old version is still running.
    await publishOldStyle(contactEvent('a', 8));
    await fixture.publish(contactEvent('a', 9));
    const { applied } = await fixture.follow();
    await waitUntil(() => applied.length === 6, { what: 'the rest' });
    expect(byAggregate(applied)).toEqual({ a: [4, 5, 6, 7, 8, 9] });
  });

  it('is shared by replicas: each old event is applied by one', async () => {
    const replicas = [await fixture.follow(), await fixture.follow()];
    const all = () => replicas.flatMap(({ applied }) => applied);
    const published: string[] = [];
    // A replica that has just started may not have its share of the partitions yet.
    await waitUntil(
      async () => {
        const event = contactEvent(`c${published.length}`, 1);
        published.push(`c${published.length} 1`);
        await publishOldStyle(event);
        return replicas.every(({ applied }) => applied.length > 0);
      },
      { what: 'events at both replicas' },
    );
    await waitUntil(() => all().length >= published.length, { what: 'all events' });
    expect(all().toSorted()).toEqual(published.toSorted());
  });
});
