import { expect, it } from '@jest/globals';
import type { Channel } from '@parley/rpc';
import { companyClient } from './company-client.ts';

/** Without a cache, each answer is the next of the given. */
function companyOf(...answers: (object | Error)[]) {
  const lookUpCompany = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const channel = { client: () => ({ lookUpCompany }) } as unknown as Channel;
  return companyClient(channel, { get: (_companyId, _key, ask) => ask() });
}

const danish = { country: 'DK' };

it('the last known settings of a company are in force while directory is unreachable', async () => {
  const lookUp = companyOf({ company: danish }, new Error('unreachable'), { company: { country: 'DE' } });
  expect(await lookUp('com_1')).toMatchObject({ country: 'DK' });
  expect(await lookUp('com_1')).toMatchObject({ country: 'DK' });
  expect(await lookUp('com_1')).toMatchObject({ country: 'DE' });
});

it('a company that is not known cannot be looked up while directory is unreachable', async () => {
  await expect(companyOf(new Error('unreachable'))('com_1')).rejects.toThrow('unreachable');
});

it('callers are looked up unless directory says that there is nothing to ask', async () => {
  const lookUp = companyOf({ company: danish }, { company: danish, hasIntegrations: false });
  expect(await lookUp('com_1')).toMatchObject({ hasIntegrations: true });
  expect(await lookUp('com_1')).toMatchObject({ hasIntegrations: false });
});
