import { setTimeout as sleep } from 'node:timers/promises';
import { startTelemetry } from '@parley/telemetry';
import { startWireProxy, testMongo, uniqueName, waitUntil } from '@parley/testkit';
import { afterAll, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from './connection.ts';

const CONNECTIONS = 8;
const READERS = 4;
const ENDS = 3;
/** Each reader pauses for ten milliseconds on average. */
const READS_BETWEEN_ENDS = CONNECTIONS * READERS * 80;

const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent' });
afterAll(() => telemetry.stop());

it('connections to a server that ends all sockets again and again recover, and every operation ends', async () => {
  const proxy = await startWireProxy(testMongo().url, 'embedded');
  const url = `${proxy.url}&serverMonitoringMode=poll`;
  const options = { url, database: uniqueName('sockets'), telemetry, signal: new AbortController().signal };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectMongo(options)));
  const usable = () =>
    Promise.all(connections.map((connection) => waitUntil(() => connection.ping(), { what: 'a usable connection' })));
  let reads = 0;
  let isStopped = false;
  const read = async ({ db }: Mongo) => {
    for (; !isStopped; reads++) {
      await db
        .collection('things')
        .findOne({})
        .catch(() => undefined);
      // The load: some reads are in progress at any time.
      await sleep(Math.random() * 20);
    }
  };
  try {
    const reading = connections.flatMap((connection) => Array.from({ length: READERS }, () => read(connection)));
    for (let end = 0; end < ENDS; end++) {
      await usable();
      // Longer than half a second: the driver checks a server at once when it fails, unless its last check was sooner.
      const enough = reads + READS_BETWEEN_ENDS;
      await waitUntil(() => reads > enough, { what: 'reads of all connections' });
      proxy.endConnections();
    }
    await usable();
    isStopped = true;
    await Promise.all(reading);
    expect(reads).toBeGreaterThan(ENDS * READS_BETWEEN_ENDS);
  } finally {
    isStopped = true;
    await Promise.all(connections.map((connection) => connection.close()));
    await proxy.close();
  }
}, 120_000);
