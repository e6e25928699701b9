import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { eventReader } from './support/event-log-reader.ts';
import { type OwnProcess, startInOwnProcess } from './support/own-process.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const SUBJECTS = 300;
const EVENTS_PER_SUBJECT = 4;
const KILLS = 4;

let webhooks: RunningWebhooks;
let receiver: Receiver;
const processes: OwnProcess[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  webhooks = await runWebhooks(
    [receiver.origin],
    {},
    {
      start: async (env) => {
        const started = await startInOwnProcess(env);
        processes.push(started);
        return started;
      },
    },
  );
});
afterEach(async () => {
  await webhooks?.stop();
  await receiver?.close();
});

it('processes that are killed while they record lose nothing, repeat nothing and keep the order, and a reader that goes on at its cursor sees each event once', async () => {
  const companyId = newId('com');
  const subscription = { name: 'CRM', url: `${receiver.origin}/hook`, events: ['contact.created'] };
  await webhooks.subscriptions.createSubscription(subscription, webhooks.as(companyId));
  await webhooks.replica();
  const reader = eventReader(webhooks, companyId, { types: ['contact.*'], limit: 17 });
  let isOver = false;
  const reading = (async () => {
    // The process that answers may be the one that is killed.
    while (!isOver) await reader.readOn().catch(() => undefined);
  })();
  const ids = Array.from({ length: SUBJECTS }, () => newId('con'));
  const publishing = (async () => {
    for (let n = 1; n <= EVENTS_PER_SUBJECT; n += 1)
      for (const id of ids)
        await webhooks.contact(n === 1 ? 'created' : 'updated', { companyId, id, name: `${n}`, sequence: n });
  })();
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      const [first, second] = processes.splice(-2);
      if (kill % 2 === 0) {
        await second!.kill();
        processes.push(first!);
        await webhooks.replica();
      } else {
        await first!.kill();
        processes.push(second!);
        await webhooks.restart();
      }
    }
    await publishing;
    await waitUntil(() => reader.read.length >= SUBJECTS * EVENTS_PER_SUBJECT, {
      what: 'all events to be read',
      timeoutMs: 90_000,
    });
  } finally {
    isOver = true;
    await reading;
  }
  await reader.readOn();
  expect(reader.read).toHaveLength(SUBJECTS * EVENTS_PER_SUBJECT);
  const bySubject = Map.groupBy(reader.read, ({ json }) => String(json.data.contact.id));
  expect(new Set(bySubject.keys())).toEqual(new Set(ids));
  for (const read of bySubject.values())
    expect(read.map(({ json }) => json.data.contact.name)).toEqual(['1', '2', '3', '4']);
  const anew = await eventReader(webhooks, companyId, { types: ['contact.*'] }).readOn();
  expect(anew.map(({ id }) => id)).toEqual(reader.read.map(({ id }) => id));
  expect(new Set(anew.map(({ id }) => id)).size).toBe(anew.length);
}, 240_000);
