import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ownMongo } from './own-mongo.ts';
import { ownNats } from './own-nats.ts';
import type { OwnServer } from './own-server.ts';

let server: OwnServer | undefined;
afterEach(() => server?.close());

describe('a nats-server of a test alone', () => {
  it('a nats-server of a test alone loses nothing when it is killed, and everything when it is wiped', async () => {
    const nats = (server = await ownNats());
    const streams = async () => {
      const connection = await connect(nats.options);
      const names = await (await jetstreamManager(connection)).streams.names().next();
      await connection.close();
      return names;
    };
    const connection = await connect(nats.options);
    await (await jetstreamManager(connection)).streams.add({ name: 'events', subjects: ['events.>'] });
    await connection.close();

    await nats.kill();
    await expect(connect(nats.options)).rejects.toThrow();
    await nats.start();
    expect(await streams()).toEqual(['events']);

    await nats.wipe();
    await nats.start();
    expect(await streams()).toEqual([]);
  });
});

describe('a MongoDB of a test alone', () => {
  it('a MongoDB of a test alone loses nothing when it is killed, and everything when it is wiped', async () => {
    const mongo = (server = await ownMongo());
    const client = new MongoClient(mongo.url, { serverSelectionTimeoutMS: 5_000 });
    const contacts = client.db('directory').collection('contacts');
    await contacts.insertOne({ name: 'Ada' });
    await mongo.kill();
    await mongo.start();
    expect(await contacts.countDocuments()).toBe(1);
    await client.close();

    await mongo.wipe();
    await mongo.start();
    const again = new MongoClient(mongo.url);
    expect(await again.db('directory').collection('contacts').countDocuments()).toBe(0);
    await again.close();
  });
});
