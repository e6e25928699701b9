import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { startMongo, startNats } from '@parley/embedded';
import { startContainers } from './containers.ts';
import { chosenEngines } from './engines.ts';
import { scratchDir } from '../utilities/scratch-dir.ts';
import type { Servers } from './servers.ts';

/** Starts a MongoDB and a NATS with empty disks, selected by PARLEY_TEST_ENGINES. */
export async function startTestServers(setting = process.env['PARLEY_TEST_ENGINES']): Promise<Servers> {
  return chosenEngines(setting) === 'containers' ? startContainers() : startEmbeddedServers();
}

async function startEmbeddedServers(): Promise<Servers> {
  const scratch = await scratchDir();
  // A crash of a server during the tests is logged; its other messages are not.
  const log = (line: string) => line.includes('exited unexpectedly') && console.error(line);
  const password = randomBytes(12).toString('hex');
  const [mongo, nats] = await Promise.all([
    startMongo({ dataDir: path.join(scratch.path, 'mongo'), socketDir: scratch.path, log }),
    startNats({ storeDir: path.join(scratch.path, 'nats'), users: [{ user: 'test', password }], log }),
  ]);
  return {
    mongoUrl: mongo.url,
    natsUrl: nats.url.replace('nats://', `nats://test:${password}@`),
    async stop() {
      await Promise.all([mongo.stop(), nats.stop()]);
      await scratch.remove();
    },
  };
}
