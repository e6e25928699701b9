import { expect, it } from '@jest/globals';
import { notFound } from '@parley/errors';
import type { Clients } from '../../peers/peers.ts';
import { inboxEndpoints } from './inbox-endpoints.ts';

/** The RPC requests that a change of a thread makes. */
async function asked(body: object): Promise<object[]> {
  const requests: object[] = [];
  const updateThread = async (request: object) => {
    requests.push(request);
    return {};
  };
  const endpoints = inboxEndpoints({ inbox: { updateThread } } as unknown as Clients);
  const update = endpoints.find(({ method, path }) => method === 'patch' && path === '/inbox/:phone_number');
  const request = { params: { phone_number: '+4520304050' }, body, context: {} };
  if (!update) throw new Error('there is no such endpoint');
  await (update.handle as (request: object) => Promise<unknown>)(request).catch((error: Error) => {
    // The answer has no thread.
    if (!error.message.includes('without its thread')) throw error;
  });
  return requests;
}

it('null assigns a thread to nobody, an omitted assignee stays, an id is assigned', async () => {
  expect(await asked({ assignee_id: null })).toMatchObject([{ assigneeId: '' }]);
  expect(await asked({ state: 'done' })).toEqual([expect.not.objectContaining({ assigneeId: expect.anything() })]);
  expect(await asked({ assignee_id: 'emp_1' })).toMatchObject([{ assigneeId: 'emp_1' }]);
});

it('an empty text is an unknown employee, not nobody', async () => {
  await expect(asked({ assignee_id: '' })).rejects.toMatchObject({ refusal: notFound });
});
