import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type NatsUser, startNats } from '@parley/embedded';
import { breakable, type OwnServer } from './own-server.ts';
import { scratchDir } from '../utilities/scratch-dir.ts';
import { natsAt, type TestNats } from './test-nats.ts';

/** A nats-server of one test alone. */
export type OwnNats = OwnServer & TestNats;

/** Starts a nats-server for a test that breaks it, or that needs restricted users. */
export async function ownNats(users: readonly NatsUser[] = []): Promise<OwnNats> {
  const scratch = await scratchDir();
  const storeDir = path.join(scratch.path, 'nats');
  const password = randomBytes(12).toString('hex');
  let port: number | undefined;
  const launch = async () => {
    const nats = await startNats({ storeDir, port, users: [{ user: 'test', password }, ...users], log: () => {} });
    port = nats.port;
    return nats;
  };
  const wipe = () => rm(storeDir, { recursive: true, force: true });
  const server = await breakable(launch, { wipe, remove: scratch.remove });
  return { ...server, ...natsAt(`nats://test:${password}@127.0.0.1:${port}`) };
}
