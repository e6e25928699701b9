import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, type Reply, sandbox, sharedStack } from '../support/api.ts';

/** A company that texts, and the people outside whom it texts with. */
export interface Texting {
  readonly company: Company;
  readonly number: { id: string; number: string };
  /** An unused phone number. */
  customer(): string;
  send(body: object, headers?: Record<string, string>): Promise<Reply>;
  retry(messageId: string, key: string | undefined): Promise<Reply>;
  message(id: string): Promise<Reply>;
  /** A customer texts the number; the status the service answered the provider with. */
  receive(text: object): Promise<{ provider_id: string; callback_status: number }>;
  /** The texts that were submitted to the provider for a phone number. */
  submitted(to: string): Promise<{ provider_id: string; from: string; text: string; status_callback: string }[]>;
  report(providerId: string, report: object): Promise<number>;
}

let keys = 0;
/** An idempotency key that was not used before. */
export const newIdempotencyKey = () => `key-${process.pid}-${(keys += 1)}`;

export async function startTexting(
  stack = sharedStack(),
  details: { numberDetails?: object; country?: string } = {},
): Promise<Texting> {
  const { numberDetails = {}, country = 'DK' } = details;
  const company = await createTestCompany(stack, { messaging_enabled: true, country });
  const { body: number } = await createNumber(company, numberDetails, stack);
  const random = () => String(Math.floor(Math.random() * 1e6)).padStart(6, '0');
  return {
    company,
    number,
    customer: () => `+4520${random()}`,
    send: (body, headers) => company.call('POST', `/business_numbers/${number.id}/messages`, body, headers),
    retry: (messageId, key) =>
      company.call('POST', `/messages/${messageId}/retries`, key === undefined ? {} : { idempotency_key: key }),
    message: (id) => company.call('GET', `/messages/${id}`),
    receive: async (text) => (await sandbox(stack, 'POST', '/messages', { to: number.number, ...text })).body,
    submitted: async (to) => (await sandbox(stack, 'GET', `/messages?to=${encodeURIComponent(to)}`)).body,
    report: async (providerId, report) =>
      (await sandbox(stack, 'POST', `/messages/${providerId}/delivery_report`, report)).body.callback_status,
  };
}
