import { setTimeout as sleep } from 'node:timers/promises';
import { startTelemetry } from '@parley/telemetry';
import { startWireProxy, testMongo, uniqueName, waitUntil } from '@parley/testkit';
import { afterAll, expect, it } from '@jest/globals';
import { connectMongo } from './connection.ts';

const CONNECTIONS = 8;
const READERS = 4;
const ENDS = 8;

const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent' });
afterAll(() => telemetry.stop());

it('connections to a server that ends all sockets again and again recover, and no operation stays without an end', async () => {
  const proxy = await startWireProxy(testMongo().url, 'embedded');
  const url = `${proxy.url}&serverMonitoringMode=poll`;
  const options = { url, database: uniqueName('sockets'), telemetry, signal: new AbortController().signal };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectMongo(options)));
  let isStopped = false;
  const read = async ({ db }: (typeof connections)[number]) => {
    while (!isStopped) {
      await db
        .collection('things')
        .findOne({})
        .catch(() => undefined);
      await sleep(Math.random() * 20);
    }
  };
  try {
    const reading = connections.flatMap((connection) => Array.from({ length: READERS }, () => read(connection)));
    for (let end = 0; end < ENDS; end++) {
      // The driver asks a server again half a second after it was unreachable.
      await sleep(600 + Math.random() * 200);
      proxy.endConnections();
    }
    for (const connection of connections) await waitUntil(() => connection.ping(), { what: 'a connection' });
    isStopped = true;
    expect(await Promise.race([Promise.all(reading), sleep(20_000, 'waiting', { ref: false })])).not.toBe('waiting');
  } finally {
    isStopped = true;
    await Promise.all(connections.map((connection) => connection.close()));
    await proxy.close();
  }
}, 120_000);
