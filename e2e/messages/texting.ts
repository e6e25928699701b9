import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, type Reply, sandbox, sharedStack, succeeded } from '../support/api.ts';

/** A company that texts, and the people outside whom it texts with. */
export interface Texting {
  readonly company: Company;
  readonly number: { id: string; number: string };
  /** An unused phone number. */
  customer(): string;
  send(body: object, headers?: Record<string, string>): Promise<Reply>;
  retry(messageId: string, key: string | undefined): Promise<Reply>;
  message(id: string): Promise<Reply>;
  /** A customer texts the number, and the service has stored the text. */
  receive(text: object): Promise<{ provider_id: string }>;
  /** Like `receive`, with the status of the response to the provider. */
  callback(text: object): Promise<{ provider_id: string; callback_status: number }>;
  /** The texts of the number that were submitted to the provider for a phone number. */
  submitted(to: string): Promise<{ provider_id: string; from: string; text: string; status_callback: string }[]>;
  /** The provider reports what became of a text, and the service has stored it. */
  report(providerId: string, report: object): Promise<void>;
}

/** Each repeat of a callback may take ten seconds. */
const REPEATS_MAX = 5;

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
  let customers = Math.floor(Math.random() * 1e6);
  const callback = async (text: object) =>
    (await succeeded(sandbox(stack, 'POST', '/messages', { to: number.number, ...text }))).body;
  return {
    company,
    number,
    customer: () => `+4520${String((customers += 1) % 1e6).padStart(6, '0')}`,
    send: (body, headers) => company.call('POST', `/business_numbers/${number.id}/messages`, body, headers),
    retry: (messageId, key) =>
      company.call('POST', `/messages/${messageId}/retries`, key === undefined ? {} : { idempotency_key: key }),
    message: (id) => company.call('GET', `/messages/${id}`),
    callback,
    async receive(text) {
      const first = await callback(text);
      let status = first.callback_status;
      // The provider repeats a callback that a busy service did not answer in time.
      for (let repeats = 0; status === 503 && repeats < REPEATS_MAX; repeats++)
        status = (await callback({ provider_id: first.provider_id })).callback_status;
      if (status !== 200) throw new Error(`the text was answered ${status}`);
      return first;
    },
    async submitted(to) {
      const { body } = await succeeded(sandbox(stack, 'GET', `/messages?to=${encodeURIComponent(to)}`));
      return body.filter(({ from }: { from: string }) => from === number.number);
    },
    async report(providerId, report) {
      const { body } = await succeeded(sandbox(stack, 'POST', `/messages/${providerId}/delivery_report`, report));
      if (body.callback_status !== 200) throw new Error(`the report was answered ${body.callback_status}`);
    },
  };
}
