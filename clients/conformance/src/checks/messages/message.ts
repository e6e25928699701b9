import { eventually } from '../../expectations/eventually.ts';
import { flag, integer, microTimestamp, nullable, oneOf, someText, text } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';
import type { PendingReply } from '../../http/reply.ts';
import type { Company } from '../../world/company.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import type { Sandbox } from '../../world/sandbox.ts';

export const TEXTING = { messaging: true };

/** All fields of a message. */
export const MESSAGE = {
  id: someText,
  type: 'message',
  format: 'sms',
  created_at: microTimestamp,
  business_number_id: someText,
  business_number_name: nullable(text),
  seen_at: nullable(text),
  direction: oneOf('inbound', 'outbound'),
  from: someText,
  to: someText,
  text,
  author: { type: oneOf('customer', 'employee', 'automation') },
  status: oneOf('queued', 'accepted', 'delivered', 'failed', 'unknown', 'received'),
  sms_count: nullable(integer),
  encoding: nullable(oneOf('gsm7', 'ucs2')),
  received_at: nullable(text),
  delivered_at: nullable(text),
  failure_code: nullable(text),
  can_retry: flag,
};

/** A number of its own, and texts from it to a customer of its own. */
export async function sender(company: Company, details: Readonly<Record<string, unknown>> = {}) {
  const { id, number, name } = await company.number(details);
  const customer = freshPhone();
  const path = `/business_numbers/${id}/messages`;
  /** With a new key, unless another is given. */
  const send = (body: object = {}, { as = company as ApiClient, headers = {} } = {}): PendingReply =>
    as.post(path, { to: customer, text: 'Your order is ready.', idempotency_key: freshWord(), ...body }, headers);
  return { id: id as string, number: number as string, name: name as string, path, customer, send };
}

/** A text that was accepted, and what the provider and its reader can do with it. */
export async function sentText(company: Company, sandbox: Sandbox) {
  const { customer, send } = await sender(company);
  const { id } = await send().gives(201, { status: 'accepted' });
  /** The provider's report on the last attempt. */
  const report = async (status: string, code?: string) => {
    const { provider_id } = (await sandbox.textsTo(customer)).at(-1)!;
    await sandbox
      .post(`/messages/${provider_id}/delivery_report`, { status, code })
      .gives(200, { callback_status: 200 });
  };
  const becomes = (shape: object) =>
    eventually('the message changes', () => company.get(`/messages/${id}`).gives(200, shape));
  const retry = (key: string = freshWord()) => company.post(`/messages/${id}/retries`, { idempotency_key: key });
  return { id: id as string, customer, send, report, becomes, retry };
}
