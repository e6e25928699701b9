import { describe, expect, it } from '@jest/globals';
import { shareResponses } from './share-responses.ts';

const immediate = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  let elapsedMs = 0;
  let answers = 0;
  const share = shareResponses<string>({
    isKept: (answer) => answer.startsWith('tokens'),
    now: () => new Date(elapsedMs),
  });
  const gates: PromiseWithResolvers<void>[] = [];
  return {
    at: (ms: number) => void (elapsedMs = ms),
    request: (arrivedAtMs: number, prefix = 'tokens', key = 'token') =>
      share(key, new Date(arrivedAtMs), async () => {
        const own = `${prefix} ${(answers += 1)}`;
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
        return own;
      }),
    async answer() {
      gates.shift()?.resolve();
      await immediate();
      await immediate();
    },
  };
}

describe('an answer', () => {
  it('an answer is shared with requests that arrive before it is sent, however long that takes', async () => {
    const gateway = start();
    const first = gateway.request(0);
    gateway.at(10_000);
    const second = gateway.request(9_999);
    await gateway.answer();
    expect([await first, await second]).toEqual(['tokens 1', 'tokens 1']);
  });

  it('an answer is shared with a request that arrived in time and is handled later', async () => {
    const gateway = start();
    const first = gateway.request(0);
    gateway.at(160);
    await gateway.answer();
    gateway.at(500);
    expect(await gateway.request(159)).toBe(await first);
  });

  it('an answer is not shared with a request that arrives after it was sent, or for another token', async () => {
    const gateway = start();
    void gateway.request(0);
    gateway.at(160);
    await gateway.answer();
    const [late, other] = [gateway.request(160), gateway.request(1, 'tokens', 'other')];
    await gateway.answer();
    await gateway.answer();
    expect([await late, await other]).toEqual(['tokens 2', 'tokens 3']);
  });

  it('an answer that is an error is not kept', async () => {
    const gateway = start();
    void gateway.request(0, 'error');
    gateway.at(160);
    await gateway.answer();
    const again = gateway.request(100);
    await gateway.answer();
    expect(await again).toBe('tokens 2');
  });
});
