import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { MongoClient } from 'mongodb';
import { connectBroker, type Event, startFollower } from '../src/index.ts';

/** Written by a replica for every event it applies. */
export interface AppliedEvent {
  aggregateId: string;
  sequence: number;
  companyId: string;
  replica: number;
  at: Date;
  /** From the event's time to its application. */
  delayMs: number;
}

/** The settings of a replica; its only argument, as JSON. */
export interface ReplicaSettings {
  mongoUrl: string;
  database: string;
  nats: { url: string; user?: string | undefined; password?: string | undefined };
  prefix: string;
}

/** A replica of a follower in a separate process, which can be killed. It records every application, including repeated ones. */
async function main(): Promise<void> {
  const { mongoUrl, database, nats, prefix }: ReplicaSettings = JSON.parse(process.argv[2] ?? '{}');
  const telemetry = startTelemetry({ service: 'replica', version: '0', logLevel: 'warn' });
  const mongo = await new MongoClient(mongoUrl).connect();
  const db = mongo.db(database);
  const broker = await connectBroker({ ...nats, prefix, name: 'replica', log: telemetry.log });
  const applied = db.collection<AppliedEvent>('applied');
  const note = async (_message: unknown, event: Event) => {
    const { aggregateId, aggregateSequence: sequence, companyId } = event;
    const at = new Date();
    const delayMs = at.getTime() - event.occurredAt.getTime();
    await applied.insertOne({ aggregateId, sequence, companyId, replica: process.pid, at, delayMs });
  };
  const handlers = { 'directory.contact.created': note, 'directory.contact.updated': note };
  const backgroundWork = trackBackgroundWork();
  await startFollower({ name: 'test-replicas', broker, db, handlers, backgroundWork, telemetry });
  process.send?.('ready');
}

await main();
