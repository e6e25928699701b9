import { createHmac } from 'node:crypto';
import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { Failure } from '../../expectations/failure.ts';
import { integer, listOf, nullable, oneOf, someText, text, timestamp } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { prepared } from '../../world/prepared.ts';
import { freshPhone } from '../../world/random.ts';
import type { Delivery, Receiver } from '../../world/sandbox.ts';

export const DELIVERY = {
  id: someText,
  event: text,
  status: oneOf('pending', 'delivered', 'failed', 'held'),
  created_at: timestamp,
  next_attempt_at: nullable(timestamp),
  attempts: listOf({
    at: timestamp,
    status_code: nullable(integer),
    error: nullable(text),
    duration_ms: nullable(integer),
  }),
};

export interface Subscribed {
  readonly company: Company;
  readonly receiver: Receiver;
  readonly webhook: any;
  readonly path: string;
}

/** A webhook whose deliveries go to a receiver of the sandbox. */
export async function subscribed(
  context: Context,
  { company, ...fields }: { company?: Company; events?: readonly string[]; name?: string } = {},
): Promise<Subscribed> {
  const owner = company ?? (await context.companies.shared());
  const receiver = context.sandbox.receiver();
  const body = { name: 'Conformance', url: receiver.url, events: ['contact.created'], ...fields };
  const webhook = await prepared(owner.post('/webhooks', body), 201);
  return { company: owner, receiver, webhook, path: `/webhooks/${webhook.id}` };
}

export async function newContact(company: Company): Promise<any> {
  return await prepared(company.post('/contacts', { phone: freshPhone(), name: 'Dagny' }), 201);
}

/** Waits until a receiver got so many deliveries; all of them. */
export async function received(receiver: Receiver, count = 1): Promise<Delivery[]> {
  return await eventually(`${count} deliveries`, async () => {
    const deliveries = await receiver.deliveries();
    if (deliveries.length < count) throw new Failure(`there are ${deliveries.length}`);
    return deliveries;
  });
}

/** Waits until the log of a webhook begins with an entry of a shape; the entry. */
export async function logged({ company, path }: Subscribed, shape: object): Promise<any> {
  return await eventually('the log of deliveries', async () => {
    const { deliveries } = await company.get(`${path}/deliveries`).gives(200);
    expect(deliveries[0], shape, 'the newest delivery');
    return deliveries[0];
  });
}

/** Fails unless one of the signatures of a delivery is made with this secret over exactly what came. */
export function requireSignature({ headers, raw_body: body }: Delivery, secret: string): void {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  expectThat(signatures.includes(expected), `the signatures ${signatures.join(' ')} are not ${expected}`);
}
