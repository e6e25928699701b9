import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { freePort, startMongo } from '@parley/embedded';
import { MongoClient } from 'mongodb';

/** A minimal gateway and service as a baseline. */
export interface BareChain {
  readonly url: string;
  readonly contactId: string;
  readonly pids: number[];
  stop(): Promise<void>;
}

const CONTACTS = 1000;

export async function startBareChain(folder: string): Promise<BareChain> {
  const mongo = await startMongo({
    dataDir: path.join(folder, 'mongo'),
    socketDir: folder,
    name: 'bare',
    log: () => {},
  });
  await fill(mongo.url);
  const socket = `unix:${path.join(folder, 'service.sock')}`;
  const service = await run('bare-service.ts', [mongo.url, socket]);
  const port = await freePort();
  const gateway = await run('bare-gateway.ts', [socket, String(port)]);
  return {
    url: `http://127.0.0.1:${port}`,
    contactId: 'con_500',
    pids: [mongo.pid, service.pid, gateway.pid].filter((pid) => pid !== undefined),
    async stop() {
      gateway.disconnect();
      service.disconnect();
      await mongo.stop();
    },
  };
}

async function fill(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  const now = new Date();
  await client
    .db('bare')
    .collection<{ _id: string }>('contacts')
    .insertMany(
      Array.from({ length: CONTACTS }, (_, n) => ({
        _id: `con_${n}`,
        phone: `+45203${10_000 + n}`,
        phoneFormatted: '+45 20 30 40 50',
        name: `Contact ${n}`,
        email: `contact.${n}@example.dk`,
        companyName: 'Example',
        note: 'A note of an ordinary length about somebody.',
        createdAt: now,
        updatedAt: now,
      })),
    );
  await client.close();
}

async function run(file: string, args: string[]): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, file), args);
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}
