import { describe, expect, it } from '@jest/globals';
import { hookPlanInput, planFrom } from './hook-plan.ts';
import { createHooks } from './hooks.ts';

const request = (rawBody: string) => ({ receivedAt: new Date(0), headers: {}, rawBody });
const planOf = (responses: number[]) => planFrom(hookPlanInput.parse({ responses }));

describe('webhook receivers', () => {
  it('webhook receivers list received requests in order, unanswered until the response is sent', () => {
    const hooks = createHooks();
    const first = hooks.receive('a', request('1'));
    hooks.receive('a', request('2'));
    first.received.answered = 200;
    expect(hooks.received('a').map(({ rawBody, answered }) => [rawBody, answered])).toEqual([
      ['1', 200],
      ['2', null],
    ]);
  });

  it('webhook receivers are independent of each other', () => {
    const hooks = createHooks();
    hooks.plan('a', planOf([500]));
    hooks.receive('a', request('1'));
    expect(hooks.received('b')).toEqual([]);
    expect(hooks.receive('b', request('2')).response.status).toBe(200);
  });

  it('webhook receivers give requests that wait at the same time consecutive responses', () => {
    const hooks = createHooks();
    hooks.plan('a', planOf([500, 503, 200]));
    const responses = ['1', '2', '3', '4'].map((body) => hooks.receive('a', request(body)).response.status);
    expect(responses).toEqual([500, 503, 200, 200]);
  });

  it('webhook receivers start a new plan at its first answer and keep what they received', () => {
    const hooks = createHooks();
    hooks.receive('a', request('1'));
    hooks.plan('a', planOf([410, 200]));
    expect(hooks.receive('a', request('2')).response.status).toBe(410);
    expect(hooks.received('a')).toHaveLength(2);
  });

  it('webhook receivers remove requests and plan', () => {
    const hooks = createHooks();
    hooks.plan('a', planOf([500]));
    hooks.receive('a', request('1'));
    hooks.clear('a');
    expect(hooks.received('a')).toEqual([]);
    expect(hooks.receive('a', request('2')).response.status).toBe(200);
  });
});
