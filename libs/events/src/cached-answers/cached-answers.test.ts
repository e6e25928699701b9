import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import type { Broker } from '../broker/broker.ts';
import { encodeEvent, type Event } from '../event/envelope.ts';
import { cachedAnswers } from './cached-answers.ts';

/** A broker that delivers what the test gives it. */
async function start(cachedMs = 60_000) {
  const callbacks: ((error: null, message: { data: Uint8Array }) => void)[] = [];
  const reconnected: (() => void)[] = [];
  const state = { connected: true };
  const answers = await cachedAnswers(
    {
      connection: {
        subscribe: (_subject: string, { callback }: { callback: (typeof callbacks)[number] }) =>
          callbacks.push(callback),
        flush: async () => undefined,
      } as unknown as Broker['connection'],
      connected: () => state.connected,
      eventPattern: (type) => type,
      onReconnect: (listener) => (reconnected.push(listener), () => undefined),
    },
    { events: ['directory.company.*'], cachedMs },
  );
  let asked = 0;
  return {
    answers,
    state,
    ask: (companyId = 'com_1') => answers.get(companyId, 'company', async () => ++asked),
    deliver: (data: Uint8Array) => callbacks.forEach((callback) => callback(null, { data })),
    reconnect: () => reconnected.forEach((listener) => listener()),
  };
}

const eventOf = (companyId: string) =>
  encodeEvent({
    id: newId('evt'),
    type: 'directory.company.updated',
    companyId,
    aggregateId: companyId,
    aggregateSequence: 1,
    occurredAt: new Date(0),
    traceparent: undefined,
    data: new Uint8Array(),
    actor: { type: 'system', id: 'directory', name: 'directory' },
  } satisfies Event);

describe('an answer', () => {
  it('an answer is asked for once, also by requests at the same time', async () => {
    const { ask } = await start();
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(1);
  });

  it('an answer is dropped by an event of its company only', async () => {
    const { ask, deliver } = await start();
    await Promise.all([ask('com_1'), ask('com_2')]);
    deliver(eventOf('com_1'));
    expect(await ask('com_2')).toBe(2);
    expect(await ask('com_1')).toBe(3);
  });

  it('an answer that an event overtakes is not cached', async () => {
    const { ask, deliver } = await start();
    const overtaken = ask();
    await setImmediate();
    deliver(eventOf('com_1'));
    expect(await ask()).toBe(2);
    expect(await overtaken).toBe(1);
    expect(await ask()).toBe(2);
  });

  it('an answer is asked for again when an event arrives in the same round of the event loop, behind the request', async () => {
    const { ask, deliver } = await start();
    await ask();
    const behind = ask();
    deliver(eventOf('com_1'));
    expect(await behind).toBe(2);
  });

  it('an answer of no company in particular is dropped by any event', async () => {
    const { ask, deliver } = await start();
    await ask('');
    deliver(eventOf('com_9'));
    expect(await ask('')).toBe(2);
  });

  it('an answer is dropped by an event that cannot be read, and by a reconnect', async () => {
    const { ask, deliver, reconnect } = await start();
    await ask();
    deliver(new Uint8Array([255]));
    expect(await ask()).toBe(2);
    reconnect();
    expect(await ask()).toBe(3);
  });

  it('an answer is not cached without a connection or when it is an error', async () => {
    const { answers, ask, state } = await start();
    await ask();
    state.connected = false;
    expect(await ask()).toBe(2);
    state.connected = true;
    await expect(answers.get('com_2', 'company', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await ask('com_2')).toBe(3);
  });
});

it('answers of several ids that are not cached are asked for together, and those without an answer are left out', async () => {
  const { answers } = await start();
  const requests: (readonly string[])[] = [];
  const ask = async (missing: readonly string[]) => {
    requests.push(missing);
    return new Map(missing.filter((id) => id !== 'none').map((id) => [id, `name of ${id}`]));
  };
  await answers.getMany('com_1', 'employee', ['a'], ask);
  const found = await answers.getMany('com_1', 'employee', ['a', 'b', 'b', 'none'], ask);
  expect([...found]).toEqual([
    ['a', 'name of a'],
    ['b', 'name of b'],
  ]);
  await answers.getMany('com_1', 'employee', ['none', 'a'], ask);
  expect(requests).toEqual([['a'], ['b', 'none']]);
});
