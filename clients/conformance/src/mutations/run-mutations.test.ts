import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sendJson, startTestServer, type TestServer } from '../../test/test-server.ts';
import { testCheck, testWorld } from '../../test/test-checks.ts';
import { SetUpFailure } from '../expectations/failure.ts';
import { runChecks } from '../runner/run-checks.ts';
import { Lock } from '../world/lock.ts';
import type { Mutation } from './mutation.ts';
import { runMutations } from './run-mutations.ts';
import { statusInstead } from './ways.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer((_request, _body, response) => sendJson(response, 200, { a: 1 }));
});
afterAll(() => server.close());

const mutation = (id: string, details: Partial<Mutation> = {}): Mutation => ({
  id,
  sentence: 'It is wrong.',
  areas: ['calls'],
  profile: 'api',
  where: { method: 'GET', path: '/things/:id' },
  answer: statusInstead(200, 500),
  ...details,
});

it('a mutation is found by a check that fails through its proxy, of those that made such a request and held', async () => {
  const target = { baseUrl: server.url, apiKey: 'pk' };
  let attempts = 0;
  const checks = [
    testCheck('calls', 1, ({ http }) => http.get('/other').gives(200)),
    testCheck('calls', 2, ({ http }) => http.get('/things/1').gives(201)),
    testCheck('calls', 3, ({ http }) => http.get('/things/1').then(() => undefined)),
    testCheck('calls', 4, ({ http }) => http.get('/things/1').gives(200, { a: 1 })),
    testCheck('inbox', 1, ({ http }) => http.get('/things/1').gives(200)),
    testCheck('limits', 1, async ({ http }) => {
      attempts += 1;
      const { status } = await http.get('/limits');
      if (status !== 200) throw new SetUpFailure('no company');
    }),
    testCheck('voicemails', 1, ({ leaveOut }) => leaveOut('not here')),
  ];
  const before = await runChecks(checks, testWorld(target));
  const results = await runMutations(
    [
      mutation('calls-a'),
      mutation('calls-unreached', { where: { method: 'DELETE', path: '/things/:id' } }),
      mutation('calls-harmless', { answer: statusInstead(404, 200) }),
      mutation('limits-unknown', { areas: ['limits'], where: { method: '*', path: '/limits' } }),
      mutation('voicemails-a', { areas: ['voicemails'] }),
      mutation('calls-full', { profile: 'full' }),
      mutation('calls-at-the-sandbox', { where: { at: 'sandbox', method: 'GET', path: '/things/:id' } }),
    ],
    before,
    () => testWorld(target),
    new Lock(),
  );
  expect(results.map((result) => [result.mutation.id, result.outcome, result.foundBy])).toEqual([
    ['calls-a', 'found', 'CALLS-004'],
    ['calls-unreached', 'not_found', undefined],
    ['calls-harmless', 'not_found', undefined],
    ['limits-unknown', 'not_found', undefined],
    ['voicemails-a', 'left_out', undefined],
    ['calls-full', 'left_out', undefined],
    ['calls-at-the-sandbox', 'left_out', undefined],
  ]);
  expect(results[0]!.message).toContain('was answered with 500 instead of 200');
  expect(results[2]!.message).toBe('2 checks hold in spite of it; 0 exchanges were changed');
  expect([attempts, results[3]!.message]).toEqual([2, expect.stringContaining('LIMITS-001 could not be prepared')]);
});
