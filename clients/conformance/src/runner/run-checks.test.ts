import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { testCheck, testWorld } from '../../test/test-checks.ts';
import { expect as expectShape } from '../expectations/expect.ts';
import { SetUpFailure } from '../expectations/failure.ts';
import { Lock } from '../world/lock.ts';
import { conforms, countByArea } from './result.ts';
import { runCheck } from './run-check.ts';
import { runChecks } from './run-checks.ts';

let server: TestServer;
let wakeUp: () => void;
const target = () => ({ baseUrl: server.url, operator: { url: server.url, token: 't' }, sandboxUrl: server.url });

beforeAll(async () => {
  server = await startTestServer((_request, _body, response) => response.writeHead(204).end());
});
afterAll(() => server.close());

describe('a run', () => {
  it('a run has the checks of an area one after the other, areas at the same time, and those alone at the end', async () => {
    const steps: string[] = [];
    const { promise: bothBegan, resolve } = Promise.withResolvers<void>();
    const step =
      (name: string, wait: Promise<void> = Promise.resolve()) =>
      async () => {
        steps.push(`${name} begins`);
        if (steps.includes('calls 2 begins') && steps.includes('inbox begins')) resolve();
        await wait;
        await turn();
        steps.push(`${name} ends`);
      };
    server.requests.length = 0;
    const checks = [
      testCheck('calls', 1, step('alone'), { alone: true }),
      testCheck('calls', 2, step('calls 2', bothBegan)),
      testCheck('calls', 3, step('calls 3')),
      testCheck('inbox', 1, step('inbox', bothBegan)),
    ];
    const results = await runChecks(checks, testWorld(target()));
    const ofCalls = steps.filter((one) => !one.startsWith('inbox'));
    expect(ofCalls.slice(0, 4)).toEqual(['calls 2 begins', 'calls 2 ends', 'calls 3 begins', 'calls 3 ends']);
    expect(steps.slice(-2)).toEqual(['alone begins', 'alone ends']);
    expect(results.map(({ check }) => check.id)).toEqual(['CALLS-001', 'CALLS-002', 'CALLS-003', 'INBOX-001']);
    expect(server.requests).toEqual(['DELETE /faults', 'DELETE /clock']);
  });

  it('a run tells what failed, what could not be prepared, and what was left out', async () => {
    const checks = [
      testCheck('calls', 1, () => Promise.resolve()),
      testCheck('calls', 2, () => Promise.resolve(expectShape(1, 2, 'it'))),
      testCheck('calls', 3, () => Promise.reject(new SetUpFailure('no company'))),
      testCheck('calls', 4, ({ leaveOut }) => leaveOut('not here')),
      testCheck('inbox', 1, () => Promise.reject(new TypeError('x is undefined')), { level: 'should' }),
    ];
    const results = await runChecks(checks, testWorld(target()));
    expect(results.map(({ outcome, message, isUnknown }) => [outcome, message, isUnknown])).toEqual([
      ['held', undefined, false],
      ['failed', 'it is 1 instead of 2', false],
      ['failed', 'could not be prepared: no company', true],
      ['left_out', 'not here', false],
      ['failed', 'x is undefined (TypeError)', false],
    ]);
    expect(countByArea(results)).toEqual([
      { area: 'calls', held: 1, total: 3, leftOut: 1 },
      { area: 'inbox', held: 0, total: 1, leftOut: 0 },
    ]);
  });

  it('a run conforms if every must holds that was not left out, and if one did', async () => {
    const [holds, fails, leaves] = await runChecks(
      [
        testCheck('calls', 1, () => Promise.resolve()),
        testCheck('calls', 2, () => Promise.reject(new Error('no'))),
        testCheck('calls', 3, ({ leaveOut }) => leaveOut('not here')),
      ],
      testWorld(target()),
    );
    const optional = { ...fails!, check: { ...fails!.check, level: 'should' as const } };
    expect([[holds!, leaves!], [holds!, optional], [holds!, fails!], [leaves!], []].map(conforms)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('a run that is interrupted begins no further check, and says nothing about those that ran', async () => {
    const interruption = new AbortController();
    const checks = [
      testCheck('calls', 1, () => Promise.resolve()),
      testCheck('calls', 2, ({ http }) => {
        interruption.abort();
        return http.get('/').givesNothing();
      }),
      testCheck('calls', 3, () => Promise.reject(new Error('not reached'))),
    ];
    const results = await runChecks(checks, testWorld(target(), { signal: interruption.signal }));
    expect(results.map(({ check }) => check.id)).toEqual(['CALLS-001']);
  });
});

describe('a check', () => {
  it('a check that hangs is ended, and its requests with it', async () => {
    const { promise: after, resolve } = Promise.withResolvers<string>();
    const hanging = testCheck('calls', 1, async ({ http }) => {
      await new Promise<void>((wake) => (wakeUp = wake));
      const ended = await http.get('/').then(
        () => 'answered',
        (error: Error) => error.message,
      );
      resolve(ended);
    });
    const { outcome, message } = await runCheck(hanging, testWorld(target()), new Lock(), 10);
    expect([outcome, message]).toEqual(['failed', 'it took longer than 0.01 s']);
    wakeUp();
    expect(await after).toContain('aborted');
  });

  it('a check that does not run alone moves no clock and sets no faults', async () => {
    const world = testWorld(target());
    for (const run of [
      ({ clock }) => clock.advance(1),
      ({ faults }) => faults.set({}),
    ] as const satisfies readonly Parameters<typeof testCheck>[2][]) {
      const { message } = await runCheck(testCheck('calls', 1, run), world, new Lock());
      expect(message).toContain('`alone: true`');
    }
  });
});
