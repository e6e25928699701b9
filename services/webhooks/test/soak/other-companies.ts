import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit';
import { startOwnMongo } from '../support/start-own-mongo.ts';
import { startInOwnProcess } from '../support/own-process.ts';
import { startReceiver } from '../support/receiver.ts';
import { runWebhooks } from '../support/running-webhooks.ts';

const CONTACTS = 1_000;
const CONTACTS_PER_SECOND = 100;

/** The median and the 95th percentile of how long it took until an event was tried. */
export interface Delays {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Measures the delays of healthy contacts' events at a receiver that refuses every event of a share of the contacts. */
export async function delaysBeside(failShare: number): Promise<Delays> {
  const receiver = await startReceiver();
  const webhooks = await runWebhooks([receiver.origin], {}, { start: startInOwnProcess, mongo: await startOwnMongo() });
  const fails = (name: string) => Number(name) % 100 < failShare * 100;
  receiver.reply = ({ body }) => ({ status: fails(body.data.contact.name) ? 500 : 200 });
  try {
    await webhooks.subscriptions.createSubscription(
      { name: 'beside', url: `${receiver.origin}/hook`, events: ['contact.created'] },
      webhooks.as(),
    );
    const happening: Promise<unknown>[] = [];
    for (let n = 0; n < CONTACTS; n += 1) {
      happening.push(webhooks.contact('created', { name: String(n) }));
      await sleep(1000 / CONTACTS_PER_SECOND);
    }
    await Promise.all(happening);
    const healthy = () => receiver.received.filter(({ body }) => !fails(body.data.contact.name));
    const expected = Array.from({ length: CONTACTS }, (_, n) => String(n)).filter((name) => !fails(name)).length;
    await waitUntil(() => healthy().length >= expected, { what: 'every healthy event', timeoutMs: 60_000 });
    const delays = healthy()
      .map(({ atMs, body }) => atMs - Date.parse(body.timestamp))
      .sort((a, b) => a - b);
    return { p50Ms: delays[Math.floor(delays.length * 0.5)]!, p95Ms: delays[Math.floor(delays.length * 0.95)]! };
  } finally {
    await webhooks.stop();
    await receiver.close();
  }
}
