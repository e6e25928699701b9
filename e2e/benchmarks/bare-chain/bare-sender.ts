// A minimal sender of webhooks: insertOne, a signed POST, updateOne. No lanes, no retries, no fairness, no limits.
import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { MongoClient } from 'mongodb';

const [mongoUrl = '', url = '', count = '0', concurrency = '1'] = process.argv.slice(2);
const deliveries = (await new MongoClient(mongoUrl).connect())
  .db('bare')
  .collection<{ _id: string; body: string; status: string; createdAt: Date; statusCode?: number }>('deliveries');
await deliveries.createIndexes([
  { key: { status: 1, createdAt: 1 }, name: 'status' },
  { key: { createdAt: 1 }, name: 'created' },
]);
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) });
const secret = randomBytes(24);

async function deliver(number: number): Promise<void> {
  const _id = `whd_${number}`;
  const contact = { id: `con_${number}`, name: `Contact ${number}`, phone: '+4520304050', email: null, note: null };
  const body = JSON.stringify({ event: 'contact.created', timestamp: new Date().toISOString(), data: contact });
  await deliveries.insertOne({ _id, body, status: 'pending', createdAt: new Date() });
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${_id}.${at}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': _id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
  const statusCode = await post(headers, body);
  await deliveries.updateOne({ _id }, { $set: { status: 'delivered', statusCode } });
}

function post(headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

process.send?.({ ready: true });
process.once('message', async () => {
  let next = 0;
  const work = async () => {
    while (next < Number(count)) await deliver(next++);
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
  process.send?.({ done: true });
});
process.once('disconnect', () => process.exit(0));
