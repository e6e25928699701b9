import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { startMongo, startNats } from '@parley/embedded';
import { scratchDir } from './scratch-dir.ts';

/** Servers for one whole test run; addresses carry their credentials. */
export interface Servers {
  readonly mongoUrl: string;
  readonly natsUrl: string;
  stop(): Promise<void>;
}

/** Starts an embedded MongoDB and NATS with empty disks. */
export async function startEmbeddedServers(): Promise<Servers> {
  const scratch = await scratchDir();
  // A server that dies in the middle of the tests is worth a line; what tests make it complain about is not.
  const log = (line: string) => line.includes('ended unasked') && console.error(line);
  const password = randomBytes(12).toString('hex');
  const [mongo, nats] = await Promise.all([
    startMongo({ dataDir: path.join(scratch.path, 'mongo'), socketDir: scratch.path, log }),
    startNats({ storeDir: path.join(scratch.path, 'nats'), user: 'test', password, log }),
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
