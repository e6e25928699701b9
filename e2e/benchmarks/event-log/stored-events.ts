import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Secrets } from '@parley/local';
import { encryptor } from '@parley/secrets';
import { startTelemetry } from '@parley/telemetry';
import { MongoClient } from 'mongodb';
import {
  type NewContent,
  openEventLogStore,
  type StoredContent,
} from '../../../services/webhooks/src/event-log/event-log-store.ts';
import type { LogKey } from '../../../services/webhooks/src/event-log/segment.ts';
import type { Company } from '../../support/api.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../services/gateway/src/api-docs/event-examples.json');
const BATCH = 1000;
const EVENTS_MAX = 5_000_000;

/** Adds events to a company's log. */
export interface EventWriter {
  add(count: number): Promise<void>;
}

/** Opens the log of a company that is recorded, as webhooks does; `dataDir`: of the stack, with its sockets and keys. */
export async function openEventWriter(
  dataDir: string,
  { id: companyId }: Company,
  end: AsyncDisposableStack,
): Promise<EventWriter> {
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
  const { path: sockets } = (await read(path.join(dataDir, 'sockets.json'))) as { path: string };
  const secrets = (await read(path.join(dataDir, 'secrets.json'))) as Secrets;
  const { webhooks: examples } = (await read(EXAMPLES)) as { webhooks: Record<NewContent['event'], { body: object }> };
  const bodies = Object.entries(examples) as [NewContent['event'], { body: object }][];

  const socket = encodeURIComponent(path.join(sockets, 'webhooks.sock'));
  const client = new MongoClient(`mongodb://${socket}/?directConnection=true`);
  end.defer(() => client.close());
  const telemetry = startTelemetry({ service: 'benchmark', version: '0', logLevel: 'silent' });
  end.defer(() => telemetry.stop());
  const db = client.db('parley_webhooks');
  const recording = await db.collection<{ epoch: number }>('company_event_logs').findOne({ companyId });
  const log: LogKey = { companyId, epoch: recording!.epoch };
  const store = await openEventLogStore({
    db,
    encryption: encryptor(secrets.services['webhooks']!.encryptionKey),
    clock: { now: () => new Date() },
    eventsMax: EVENTS_MAX,
    onAppended: () => {},
    telemetry,
  });
  let added = 0;

  function storeOne(number: number): Promise<StoredContent> {
    const [event, example] = bodies[number % bodies.length]!;
    const body = JSON.stringify(example.body);
    const id = `evt_${companyId.slice(-8)}${String(number).padStart(24, '0')}`;
    const now = new Date();
    return store.store({ id, companyId, event, subject: `con_${number}`, occurredAt: now, recordedAt: now, body });
  }

  return {
    async add(count) {
      const until = added + count;
      while (added < until) {
        const batch = Array.from({ length: Math.min(BATCH, until - added) }, (_, n) => added + n);
        await store.append({ log, events: await Promise.all(batch.map(storeOne)) });
        added += batch.length;
      }
    },
  };
}
