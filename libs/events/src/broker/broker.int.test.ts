import { startTelemetry } from '@parley/telemetry';
import { type OwnNats, ownNats, testNats, uniqueName, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import { type Broker, connectBroker } from './broker.ts';

const { log, stop } = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
afterAll(stop);

let nats: OwnNats;

const brokers: Broker[] = [];
const connect = async () => {
  const broker = await connectBroker({ ...nats, name: 'test', log });
  brokers.push(broker);
  return broker;
};
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('the broker', () => {
  beforeEach(async () => void (nats = await ownNats()));
  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((broker) => broker.close())).finally(() => nats.close());
  });

  it('the broker is waited for when it is not there yet', async () => {
    await nats.stop();
    const connecting = connect();
    await nats.start();
    const broker = await connecting;
    expect(broker.connected()).toBe(true);
  });

  it('the broker reports when its connection is lost and restored', async () => {
    const broker = await connect();
    let back = 0;
    broker.onReconnect(() => back++);
    await nats.kill();
    await waitUntil(() => !broker.connected(), { what: 'the loss' });
    await nats.start();
    await waitUntil(() => back === 1 && broker.connected(), { what: 'the return' });
  });

  it('the broker fails requests immediately while it is unreachable, also those in progress', async () => {
    const broker = await connect();
    await broker.ensureStream('directory');
    const never = broker.unlessLost(() => new Promise(() => {}));
    await Promise.all([nats.kill(), expect(never).rejects.toThrow('no connection')]);
    const started = performance.now();
    await expect(broker.publish(contactEvent('a', 1))).rejects.toThrow('no connection');
    expect(performance.now() - started).toBeLessThan(4000); // the client itself gives up after five seconds
  });

  it('the broker is left at once when it is away', async () => {
    const broker = await connect();
    await nats.kill();
    await waitUntil(() => !broker.connected(), { what: 'the loss' });
    const started = performance.now();
    await broker.close();
    await broker.close();
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

describe('a follower of a broker that breaks', () => {
  const fixtures: FollowerTest[] = [];
  const enter = async () => {
    const fixture = await startFollowerTest(nats);
    fixtures.push(fixture);
    return fixture;
  };
  beforeEach(async () => void (nats = await ownNats()));
  afterEach(async () => {
    await Promise.all(fixtures.splice(0).map((fixture) => fixture.end())).finally(() => nats.close());
  });

  it('a follower of a broker that breaks continues after the broker was killed', async () => {
    const fixture = await enter();
    const { applied } = await fixture.follow();
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => applied.length === 1, { what: 'the first' });
    await nats.kill();
    await nats.start();
    await waitUntil(() => fixture.broker.connected(), { what: 'the reconnect' });
    await fixture.publish(contactEvent('a', 2));
    await waitUntil(() => applied.length === 2, { what: 'the second' });
  });

  it('a follower of a broker that breaks applies nothing twice when the broker lost its disk and everything is republished', async () => {
    const fixture = await enter();
    const { applied, backgroundWork } = await fixture.follow();
    const events = numbers(20).map((sequence) => contactEvent('a', sequence));
    for (const event of events.slice(0, 10)) await fixture.broker.publish(event);
    await waitUntil(() => applied.length === 10, { what: 'ten events' });
    for (const event of events.slice(10, 12)) await fixture.broker.publish(event);
    await nats.wipe();
    await nats.start();
    await waitUntil(() => fixture.broker.connected(), { what: 'the reconnect' });
    await fixture.broker.ensureStream('directory');
    for (const event of events) await fixture.broker.publish(event);
    await waitUntil(() => applied.length >= 20, { what: 'the rest' });
    await waitUntil(async () => (await backgroundWork.report()).busy === 0, { what: 'the follower to be done' });
    expect(byAggregate(applied)).toEqual({ a: numbers(20) });
  });

  it('a follower of a broker that breaks continues when its consumer or its stream was deleted', async () => {
    const fixture = await enter();
    const { applied } = await fixture.follow();
    const { manager, stream } = fixture.broker;
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => applied.length === 1, { what: 'the first' });
    const consumers = await manager.consumers.list(stream('directory')).next();
    expect(consumers).toHaveLength(1);
    await manager.consumers.delete(stream('directory'), consumers[0]?.name ?? '');
    await fixture.publish(contactEvent('a', 2));
    await waitUntil(() => applied.length === 2, { what: 'the second' });
    await manager.streams.delete(stream('directory'));
    // Its owner recreates it.
    await fixture.broker.ensureStream('directory');
    await fixture.publish(contactEvent('a', 3));
    await waitUntil(() => applied.length === 3, { what: 'the third' });
  });

  it('a follower of a broker that breaks reads a noun that is new to it from the beginning', async () => {
    const fixture = await enter();
    const companies = ['directory.company.updated'];
    const seen: string[] = [];
    const before = await fixture.follow({
      handlers: { 'directory.company.updated': async (_message, { aggregateId }) => void seen.push(aggregateId) },
    });
    await fixture.publish(contactEvent('a', 1), ...companies.map((type) => contactEvent('c', 1, { type })));
    await waitUntil(() => seen.length === 1, { what: 'the company' });
    await before.follower.stop();
    const { applied } = await fixture.follow();
    await waitUntil(() => applied.length === 1, { what: 'the contact from before' });
  });

  it('a follower of a broker that breaks stops although the broker is away', async () => {
    const fixture = await enter();
    const { follower } = await fixture.follow();
    await nats.kill();
    await waitUntil(() => !fixture.broker.connected(), { what: 'the loss' });
    const started = performance.now();
    await follower.stop();
    expect(performance.now() - started).toBeLessThan(4500);
  });
});

describe('a stream', () => {
  let broker: Broker;
  beforeEach(async () => {
    broker = await connectBroker({ ...testNats(), prefix: uniqueName('t').replace('_', '-'), name: 'test', log });
  });
  afterEach(async () => {
    await broker.manager.streams.delete(broker.stream('directory')).catch(() => undefined);
    await broker.close();
  });

  it('a stream is kept as it is, and adapted when it has other settings', async () => {
    const first = await broker.ensureStream('directory');
    expect(await broker.ensureStream('directory')).toEqual(first);
    const { config } = await broker.manager.streams.info(broker.stream('directory'));
    await broker.manager.streams.update(broker.stream('directory'), { ...config, max_age: config.max_age / 2 });
    expect(await broker.ensureStream('directory')).toEqual(first);
    expect((await broker.manager.streams.info(broker.stream('directory'))).config.max_age).toBe(config.max_age);
  });

  it('a stream stores an event once, however often it is published', async () => {
    await broker.ensureStream('directory');
    const event = contactEvent('a', 1);
    await broker.publish(event);
    await broker.publish(event);
    expect((await broker.manager.streams.info(broker.stream('directory'))).state.messages).toBe(1);
  });

  it('a stream that does not exist stores no event, and the publisher gets an error', async () => {
    await expect(broker.publish(contactEvent('a', 1))).rejects.toThrow();
  });
});
