import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openReceivers, type Passage, type Receivers } from './receivers.ts';

const LINE_MS = 1_000;
const subscription = (id: string, origin = 'https://a.example', companyId = 'com_1') => ({
  id,
  companyId,
  url: `${origin}/hook`,
});
const a = subscription('whk_a');

let receivers: Receivers;

beforeEach(() => {
  jest.useFakeTimers();
  receivers = openReceivers({ requestsMax: 8, requestsPerReceiverMax: 2, lineMsMax: LINE_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Whether a passage has its place now. */
async function isPlaced(placing: Promise<boolean>): Promise<boolean> {
  return Promise.race([placing, Promise.resolve(false).then(() => false)]);
}

async function placed(count: number, at = a): Promise<Passage[]> {
  const passages = Array.from({ length: count }, () => receivers.approach(at));
  for (const passage of passages) expect(await passage.place()).toBe(true);
  return passages;
}

describe('a receiver', () => {
  it('has so many places, and the next in line has the one that is freed', async () => {
    const [first] = await placed(2);
    const third = receivers.approach(a).place();
    const fourth = receivers.approach(a).place();
    expect(await isPlaced(third)).toBe(false);
    first!.end();
    expect(await third).toBe(true);
    expect(await isPlaced(fourth)).toBe(false);
  });

  it('is one origin, however many subscriptions name it', async () => {
    await placed(2);
    const other = receivers.approach(subscription('whk_b')).place();
    expect(await isPlaced(other)).toBe(false);
    await placed(2, subscription('whk_c', 'https://c.example'));
  });

  it('is not waited for longer than a moment', async () => {
    await placed(2);
    const third = receivers.approach(a).place();
    jest.advanceTimersByTime(LINE_MS);
    expect(await third).toBe(false);
  });

  it('takes nothing new once somebody has to wait in the database, until it is idle again', async () => {
    const [first, second] = await placed(2);
    const third = receivers.approach(a);
    void third.place();
    jest.advanceTimersByTime(LINE_MS);
    third.end();
    expect(receivers.approachNew(a)).toBeUndefined();
    first!.end();
    expect(receivers.approachNew(a)).toBeUndefined();
    second!.end();
    expect(receivers.approachNew(a)).toBeDefined();
  });

  it('that was slow has two places until it is quick again', async () => {
    receivers = openReceivers({ requestsMax: 8, requestsPerReceiverMax: 4, lineMsMax: 60_000 });
    const [first, second] = await placed(2);
    jest.advanceTimersByTime(6_000);
    first!.end();
    second!.end();
    const [quick] = await placed(2);
    const third = receivers.approach(a);
    const placing = third.place();
    expect(await isPlaced(placing)).toBe(false);
    quick!.end();
    expect(await placing).toBe(true);
    await placed(2);
  });
});

describe('all receivers together', () => {
  it('leave room for other companies', async () => {
    for (const origin of ['https://1.example', 'https://2.example']) await placed(2, subscription(origin, origin));
    const fifth = receivers.approach(subscription('whk_5', 'https://5.example')).place();
    expect(await isPlaced(fifth)).toBe(false);
    await placed(2, subscription('whk_x', 'https://x.example', 'com_2'));
  });

  it('are full at so many requests, and say when there is room', async () => {
    const told = jest.fn();
    receivers.onRoom(told);
    const passages = await Promise.all(
      ['1', '2', '3', '4'].map((n) => placed(2, subscription(n, `https://${n}.example`, `com_${n}`))),
    );
    expect(receivers.isFull()).toBe(true);
    passages[0]![0]!.end();
    expect(receivers.isFull()).toBe(false);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('name the subscriptions of who keeps enough waiting, and how many more may come', async () => {
    expect(receivers.crowded()).toEqual([]);
    await placed(2);
    expect(receivers.room('whk_a')).toBe(8);
    for (let n = 0; n < 4; n += 1) receivers.approach(subscription(`whk_${n}`));
    expect(receivers.crowded().sort()).toEqual(['whk_0', 'whk_1', 'whk_2', 'whk_3', 'whk_a']);
    expect(receivers.room('whk_a')).toBe(4);
    expect(receivers.room('whk_unknown')).toBe(8);
  });
});

describe('aborting', () => {
  it('reaches what has a place, what stands in line and what is still on its way, and waits for their end', async () => {
    const [sent, alsoSent] = await placed(2);
    const inLine = receivers.approach(a);
    const waiting = inLine.place();
    const onItsWay = receivers.approach(a);
    const other = receivers.approach(subscription('whk_b'));
    let over = false;
    const aborted = receivers.abort('deleted', 'whk_a').then(() => {
      over = true;
    });
    expect(sent!.signal.reason).toBe('deleted');
    expect(await waiting).toBe(false);
    expect(await onItsWay.place()).toBe(false);
    expect(other.signal.aborted).toBe(false);
    expect(over).toBe(false);
    for (const passage of [sent!, alsoSent!, inLine, onItsWay]) passage.end();
    await aborted;
  });

  it('of a subscription with nothing under way is over at once', async () => {
    await receivers.abort('deleted', 'whk_a');
  });
});
