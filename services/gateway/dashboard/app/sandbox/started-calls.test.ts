import { describe, expect, it } from '@jest/globals';
import { storeStartedCalls, readStartedCalls, withStartedCall } from './started-calls.ts';

function storage(initial?: string) {
  let stored = initial ?? null;
  return { getItem: () => stored, setItem: (_key: string, value: string) => void (stored = value) };
}

describe('the calls of a window', () => {
  const call = (legId: string) => ({ legId, from: '+4520304050', to: '+4571990100' });

  it('the calls of a window survive a reload, the latest first', () => {
    const window = storage();
    storeStartedCalls(window, withStartedCall(withStartedCall([], call('a')), call('b')));
    expect(readStartedCalls(window).map(({ legId }) => legId)).toEqual(['b', 'a']);
  });

  it('the calls of a window are a few at most', () => {
    let calls: ReturnType<typeof readStartedCalls> = [];
    for (let count = 0; count < 30; count++) calls = withStartedCall(calls, call(String(count)));
    expect(calls).toHaveLength(10);
    expect(calls[0]).toEqual(call('29'));
  });

  it('the calls of a window are none where something else was stored', () => {
    expect(readStartedCalls(storage('{'))).toEqual([]);
    expect(readStartedCalls(storage('{}'))).toEqual([]);
  });
});
