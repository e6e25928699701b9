import { afterAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { testMongo } from './test-mongo.ts';
import { natsAt, testNats } from './test-nats.ts';
import { uniqueName } from '../utilities/unique-name.ts';

describe('the MongoDB of a test run', () => {
  const mongo = testMongo();
  afterAll(() => mongo.close());

  it('the MongoDB of a test run gives each caller a separate empty database', async () => {
    const [first, second] = [mongo.database('Numbers-Routing'), mongo.database('Numbers-Routing')];
    expect(first.databaseName).toMatch(/^numbers_routing_[0-9a-f]{12}$/);
    await first.collection('a').insertOne({ b: 1 });
    expect(await first.collection('a').countDocuments()).toBe(1);
    expect(await second.collection('a').countDocuments()).toBe(0);
  });
});

describe('the NATS of a test run', () => {
  it('the NATS of a test run has JetStream', async () => {
    const connection = await connect(testNats().options);
    const name = uniqueName('events');
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name, subjects: [`${name}.>`] });
    expect(await jetstream(connection).publish(`${name}.a`, 'hello')).toMatchObject({ seq: 1, stream: name });
    await manager.streams.delete(name);
    await connection.close();
  });

  it('the NATS of a test run may have an address with credentials inside, or none', () => {
    expect(natsAt('nats://me:a%40b@127.0.0.1:4222').options).toEqual({
      servers: 'nats://127.0.0.1:4222',
      user: 'me',
      pass: 'a@b',
    });
    expect(natsAt('nats://broker:4222').options).toEqual({ servers: 'nats://broker:4222' });
  });
});
