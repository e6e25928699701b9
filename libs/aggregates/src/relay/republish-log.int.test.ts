import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@parley/secrets';
import { startTelemetry } from '@parley/telemetry';
import { waitUntil } from '@parley/testkit';
import { trackBackgroundWork } from '@parley/clock';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Outbox, startOutbox } from '../../test/start-outbox.ts';
import { openEventLog } from './event-log.ts';
import { republishLog } from './republish-log.ts';

/** Filling the stream takes less. */
const LONG_ENOUGH_MS = 300;

let outbox: Outbox;
let guard: ReturnType<typeof republishLog> | undefined;
beforeEach(async () => void (outbox = await startOutbox()));
afterEach(async () => {
  await guard?.stop();
  await outbox.end();
});

const event = () => ({
  id: newId('evt'),
  type: 'directory.contact.created',
  companyId: 'com_1',
  aggregateId: newId('con'),
  aggregateSequence: 1,
  occurredAt: new Date(),
  traceparent: undefined,
  data: new Uint8Array([1]),
  actor: { type: 'system', id: 'directory', name: 'directory' } as const,
});

it('the republishing of the log fills a new stream also with what was being logged when the other one was lost', async () => {
  const [logged, late] = [event(), event()];
  const log = await openEventLog(outbox.db);
  await log.add([logged]);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isComplete = false;
  await outbox.relay.stop();
  await outbox.db.collection('relay_streams').deleteMany({});
  guard = republishLog({
    service: 'directory',
    db: outbox.db,
    log,
    logged: () => promise,
    broker: outbox.broker,
    backgroundWork: trackBackgroundWork(),
    telemetry: startTelemetry({ service: 'test', version: '0', logLevel: 'silent' }),
    onComplete: () => (isComplete = true),
  });
  await sleep(LONG_ENOUGH_MS);
  await log.add([late]);
  expect(isComplete).toBe(false);
  resolve();
  await waitUntil(() => isComplete, { what: 'a filled stream' });
  const published = new Set((await outbox.published()).map(({ id }) => id));
  expect(published).toEqual(new Set([logged.id, late.id]));
});
