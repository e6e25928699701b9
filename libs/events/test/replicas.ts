import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTelemetry } from '@parley/telemetry';
import { ownNats, testMongo, uniqueName, waitUntil } from '@parley/testkit';
import { connectBroker } from '../src/index.ts';
import type { AppliedEvent, ReplicaSettings } from './replica-main.ts';
import { contactEvent } from './start-follower.ts';

const main = path.join(import.meta.dirname, 'replica-main.ts');

/** Processes of one follower, and a publisher. */
export async function startReplicas(count: number) {
  const nats = await ownNats();
  const mongo = testMongo();
  const db = mongo.database('replicas');
  const prefix = uniqueName('t').replace('_', '-');
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const broker = await connectBroker({ ...nats, prefix, name: 'test', log: telemetry.log });
  await broker.ensureStream('directory');
  const applied = db.collection<AppliedEvent>('applied');
  await applied.createIndex({ aggregateId: 1 });

  async function startReplica() {
    const settings: ReplicaSettings = {
      mongoUrl: mongo.url,
      database: db.databaseName,
      nats: { url: nats.url, user: nats.user, password: nats.password },
      prefix,
    };
    const child = spawn(process.execPath, [main, JSON.stringify(settings)], {
      env: {},
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    const ready = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
    if (!ready) throw new Error('a replica did not start');
    return {
      pid: child.pid ?? 0,
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
  const replicas = await Promise.all(Array.from({ length: count }, startReplica));
  await waitUntil(
    async () => {
      const state = await db.collection<{ _id: string; owners: (string | null)[] }>('follower_state').findOne();
      const owners = new Set(state?.owners ?? []);
      return owners.size === count && !owners.has(null);
    },
    { what: 'every replica to have partitions' },
  );

  return {
    broker,
    db,
    replicas,

    /** Publishes `changes` of one aggregate as fast as the broker takes them. */
    async publishChanges(aggregateId: string, changes: number, companyId = 'com_busy') {
      const BATCH = 100;
      for (let first = 1; first <= changes; first += BATCH) {
        const size = Math.min(BATCH, changes - first + 1);
        const events = Array.from({ length: size }, (_, i) => contactEvent(aggregateId, first + i, { companyId }));
        await Promise.all(events.map((event) => broker.publish(event)));
      }
    },
    /** In order of application; ids alone are in order within one process only. */
    applied: (aggregateId: string) => applied.find({ aggregateId }).sort({ at: 1, _id: 1 }).toArray(),
    /** Without repetitions. */
    count: async (aggregateId: string) => (await applied.distinct('sequence', { aggregateId })).length,
    ofCompany: (companyId: string) => applied.find({ companyId }).sort({ _id: 1 }).toArray(),
    /** The replica that applied the last event of an aggregate. */
    async reader(aggregateId: string) {
      const [last] = await applied.find({ aggregateId }).sort({ at: -1, _id: -1 }).limit(1).toArray();
      return replicas.find(({ pid }) => pid === last?.replica);
    },
    /** Messages that the broker delivered to the consumers that exist now. */
    async deliveries() {
      const infos = await Array.fromAsync(broker.manager.consumers.list(broker.stream('directory')));
      return infos.reduce((sum, info) => sum + info.delivered.consumer_seq, 0);
    },
    async end() {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await broker.close();
      await telemetry.stop();
      await mongo.close();
      await nats.close();
    },
  };
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;
