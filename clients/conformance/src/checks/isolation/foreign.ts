import { expect } from '../../expectations/expect.ts';
import type { ApiClient } from '../../http/api-client.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { freshWord } from '../../world/random.ts';

const TEXTING = { messaging: true };

/** A company that has things, and another one that must not see them; both may text. */
export async function two({ companies }: Context): Promise<[company: Company, stranger: Company]> {
  return [await companies.shared(TEXTING), await companies.another(TEXTING)];
}

export type Request = readonly [method: string, path: string, body?: unknown];

/** Requests with `:id` in their paths: a foreign id is answered as an unknown one, and not found. */
export async function areNotFound(stranger: ApiClient, foreignId: string, requests: readonly Request[]): Promise<void> {
  const unknownId = `${foreignId.split('_')[0]}_${freshWord()}${freshWord()}`;
  for (const [method, path, body] of requests) {
    const send = (id: string) => stranger.send(method, path.replace(':id', id), { body });
    const [foreign, unknown] = await Promise.all([send(foreignId), send(unknownId)]);
    const what = `the answer to ${method} ${path} for a foreign id`;
    expect([foreign.status, foreign.body], [404, { error: 'not_found' }], what);
    expect(foreign.text, unknown.text, `${what}, beside that for an unknown one`);
  }
}
