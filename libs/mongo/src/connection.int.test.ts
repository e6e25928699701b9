import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import { ownMongo, testMongo, uniqueName } from '@parley/testkit';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from './connection.ts';

const { url } = testMongo();
const spanExporter = new InMemorySpanExporter();
const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent', spanExporter });
const silent = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent' });
afterAll(() => Promise.all([telemetry.stop(), silent.stop()]));

async function metricsOf({ metricsPage }: Telemetry): Promise<string> {
  const server = createServer(metricsPage);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const text = await response.text();
  server.closeAllConnections();
  server.close();
  return text;
}

let mongo: Mongo | undefined;
afterEach(async () => {
  await mongo?.db.dropDatabase();
  await mongo?.close();
  mongo = undefined;
  spanExporter.reset();
});

describe('a connection to MongoDB', () => {
  it('a connection to MongoDB measures how long its operations wait for a connection and hold one', async () => {
    const measured = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent', metricsPage: true });
    mongo = await connectMongo({ url, database: uniqueName('directory'), telemetry: measured });
    await mongo.db.collection('things').insertOne({ b: 1 });
    const page = await metricsOf(measured);
    await measured.stop();
    expect(page).toMatch(/parley_mongodb_connection_wait_duration_seconds_count [1-9]/);
    expect(page).toMatch(/parley_mongodb_connection_use_duration_seconds_count [1-9]/);
    expect(page).toMatch(/parley_mongodb_connections\{state="idle"\} [1-9]/);
    expect(page).toContain('parley_mongodb_connections{state="used"} 0');
    expect(page).toContain('parley_mongodb_connection_failures_total 0');
  });

  it('a connection to MongoDB leads to the service’s own database, and leaves undefined fields out', async () => {
    const database = uniqueName('directory');
    mongo = await connectMongo({ url, database, telemetry: silent });
    expect(mongo.db.databaseName).toBe(database);
    await mongo.db.collection('things').insertOne({ a: undefined, b: 1 });
    expect(await mongo.db.collection('things').findOne({}, { projection: { _id: 0 } })).toEqual({ b: 1 });
  });

  it('a connection to MongoDB reports whether the server responds', async () => {
    const own = await ownMongo();
    try {
      const connection = await connectMongo({ url: own.url, database: 'directory', telemetry: silent });
      expect(await connection.ping()).toBe(true);
      await own.stop();
      expect(await connection.ping()).toBe(false);
      await connection.close();
    } finally {
      await own.close();
    }
  });

  it('a connection to MongoDB that cannot be made is an error', async () => {
    const nowhere = 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=100';
    await expect(connectMongo({ url: nowhere, database: 'directory', telemetry: silent })).rejects.toThrow();
  });
});

describe('a server that is slow to start', () => {
  it('a server that is slow to start is waited for', async () => {
    const own = await ownMongo();
    try {
      await own.stop();
      const connecting = connectMongo({
        url: `${own.url}&serverSelectionTimeoutMS=100`,
        database: 'directory',
        telemetry: silent,
        signal: new AbortController().signal,
      });
      await own.start();
      const connection = await connecting;
      expect(await connection.ping()).toBe(true);
      await connection.close();
    } finally {
      await own.close();
    }
  });

  it('a server that is slow to start is no longer waited for when the service stops', async () => {
    const stopping = new AbortController();
    const nowhere = 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=100';
    const connecting = connectMongo({ url: nowhere, database: 'x_y', telemetry: silent, signal: stopping.signal });
    stopping.abort();
    await expect(connecting).rejects.toThrow();
  });
});

describe('commands of a traced request', () => {
  it('commands of a traced request are spans with operation and collection, without content', async () => {
    mongo = await connectMongo({ url, database: uniqueName('directory'), telemetry });
    const { db } = mongo;
    await db.collection('things').insertMany([{ secret: 'canary' }, { secret: 'canary' }, { secret: 'canary' }]);
    await telemetry.span('request', {}, async () => {
      await db.collection('things').find({ secret: 'canary' }, { batchSize: 2 }).toArray();
      await db.command({ ping: 1 });
    });
    const spans = spanExporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual([
      'mongodb find things',
      'mongodb getMore things',
      'mongodb ping',
      'request',
    ]);
    const request = spans.at(-1)?.spanContext();
    for (const span of spans.slice(0, -1)) expect(span.parentSpanContext?.spanId).toBe(request?.spanId);
    expect(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })))).not.toContain('canary');
  });

  it('commands of a traced request are marked when they fail', async () => {
    mongo = await connectMongo({ url, database: uniqueName('directory'), telemetry });
    const { db } = mongo;
    await telemetry.span('request', {}, () => db.command({ nonsense: 1 }).catch(() => undefined));
    expect(spanExporter.getFinishedSpans()[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });

  it('commands outside of any request are not recorded', async () => {
    mongo = await connectMongo({ url, database: uniqueName('directory'), telemetry });
    await mongo.db.collection('things').insertOne({});
    expect(spanExporter.getFinishedSpans()).toEqual([]);
  });
});
