import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openReceivers, type ReceiverLimits, type RequestPermit, type Receivers } from './receivers.ts';

const WAIT_MS = 1_000;
const subscription = (id: string, origin = 'https://a.example', companyId = 'com_1') => ({
  id,
  companyId,
  url: `${origin}/hook`,
});
const a = subscription('whk_a');

let receivers: Receivers;
/** The busy time of this process. */
let busyMs = 0;
const receiversWith = (limits: ReceiverLimits) =>
  openReceivers({ ...limits, idleMs: () => performance.now() - busyMs });

beforeEach(() => {
  jest.useFakeTimers();
  busyMs = 0;
  receivers = receiversWith({ requestsMax: 8, requestsPerReceiverMax: 2, waitMsMax: WAIT_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

/** True when a permit is granted now. */
async function isGranted(acquiring: Promise<boolean>): Promise<boolean> {
  return Promise.race([acquiring, Promise.resolve(false).then(() => false)]);
}

async function granted(count: number, at = a): Promise<RequestPermit[]> {
  const permits = Array.from({ length: count }, () => receivers.permit(at));
  for (const permit of permits) expect(await permit.acquire()).toBe(true);
  return permits;
}

describe('a receiver', () => {
  it('a receiver has so many requests at once, and the next in line follows when one ends', async () => {
    const [first] = await granted(2);
    const third = receivers.permit(a).acquire();
    const fourth = receivers.permit(a).acquire();
    expect(await isGranted(third)).toBe(false);
    first!.release();
    expect(await third).toBe(true);
    expect(await isGranted(fourth)).toBe(false);
  });

  it('a receiver is one origin, however many subscriptions name it', async () => {
    await granted(2);
    const other = receivers.permit(subscription('whk_b')).acquire();
    expect(await isGranted(other)).toBe(false);
    await granted(2, subscription('whk_c', 'https://c.example'));
  });

  it('an attempt waits for a receiver for a limited time', async () => {
    await granted(2);
    const third = receivers.permit(a).acquire();
    jest.advanceTimersByTime(WAIT_MS);
    expect(await third).toBe(false);
  });

  it('a receiver takes no new event while others wait in the database, until it is idle again', async () => {
    const [first, second] = await granted(2);
    const third = receivers.permit(a);
    void third.acquire();
    jest.advanceTimersByTime(WAIT_MS);
    third.release();
    expect(receivers.permitForNew(a)).toBeUndefined();
    first!.release();
    expect(receivers.permitForNew(a)).toBeUndefined();
    second!.release();
    expect(receivers.permitForNew(a)).toBeDefined();
  });

  it('a receiver that was slow has two requests at once until it is quick again', async () => {
    receivers = receiversWith({ requestsMax: 40, requestsPerReceiverMax: 4, waitMsMax: 60_000 });
    const [first, second] = await granted(2);
    jest.advanceTimersByTime(6_000);
    first!.release();
    second!.release();
    const [quick] = await granted(2);
    const third = receivers.permit(a);
    const acquiring = third.acquire();
    expect(await isGranted(acquiring)).toBe(false);
    quick!.release();
    expect(await acquiring).toBe(true);
    await granted(2);
  });

  it('a receiver has as many deliveries waiting here as it soon answers', async () => {
    const capacity = async (answerMs: number) => {
      const at = subscription(`whk_${answerMs}`, `https://${answerMs}.example`);
      for (let n = 0; n < 50; n += 1) {
        const [permit] = await granted(1, at);
        jest.advanceTimersByTime(answerMs);
        permit!.release();
      }
      receivers.permit(at);
      return receivers.capacity(at.id);
    };
    expect(await capacity(10)).toBeGreaterThanOrEqual(40);
    expect(await capacity(500)).toBeLessThanOrEqual(4);
  });

  it.each([
    ['as quick as it is while this process is busy', 40, 1_000, 1_000],
    ['as slow as it is, however busy this process is', 500, 1, 20],
  ])('a receiver is considered for new events %s', async (_how, answerMs, least, most) => {
    for (let n = 0; n < 50; n += 1) {
      const [permit] = await granted(1);
      jest.advanceTimersByTime(answerMs);
      busyMs += answerMs;
      permit!.release();
    }
    let taken = 0;
    while (taken < 1_000 && receivers.permitForNew(a)) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(least);
    expect(taken).toBeLessThanOrEqual(most);
  });

  it('no attempt waits for a receiver any longer when the process stops', async () => {
    const [first] = await granted(2);
    const third = receivers.permit(a);
    const acquiring = third.acquire();
    receivers.drain();
    expect(await acquiring).toBe(false);
    expect(await receivers.permit(a).acquire()).toBe(false);
    expect(first!.signal.aborted).toBe(false);
    first!.release();
    expect(await receivers.permit(a).acquire()).toBe(true);
  });
});

describe('companies with the same receiver', () => {
  const of = (companyId: string) => subscription(`whk_${companyId}`, 'https://shared.example', companyId);

  it('companies with the same receiver share its requests, and the first of each waits for none', async () => {
    receivers = receiversWith({ requestsMax: 40, requestsPerReceiverMax: 4, waitMsMax: 60_000 });
    const first = await granted(4, of('com_1'));
    const more = receivers.permit(of('com_1')).acquire();
    await granted(1, of('com_2'));
    const second = receivers.permit(of('com_2')).acquire();
    first[0]!.release();
    expect(await isGranted(second)).toBe(false);
    first[1]!.release();
    expect(await second).toBe(true);
    expect(await isGranted(more)).toBe(false);
    first[2]!.release();
    expect(await more).toBe(true);
  });

  it('companies for which a receiver hangs do not slow those for which it does not', async () => {
    receivers = receiversWith({ requestsMax: 40, requestsPerReceiverMax: 4, waitMsMax: 60_000 });
    for (const hanging of ['com_1', 'com_2', 'com_3']) {
      await granted(1, of(hanging));
      void receivers.permit(of(hanging)).acquire();
      void receivers.permit(of(hanging)).acquire();
    }
    jest.advanceTimersByTime(10_000);
    const quick = await granted(4, of('com_quick'));
    const fifth = receivers.permit(of('com_quick')).acquire();
    expect(await isGranted(fifth)).toBe(false);
    quick[0]!.release();
    expect(await fifth).toBe(true);
    expect(receivers.permitForNew(of('com_quick'))).toBeDefined();
    expect(receivers.permitForNew(of('com_1'))).toBeUndefined();
  });

  it('companies with the same receiver are slow there one by one, also after nothing was sent for a while', async () => {
    receivers = receiversWith({ requestsMax: 40, requestsPerReceiverMax: 4, waitMsMax: 60_000 });
    const [slow] = await granted(1, of('com_1'));
    jest.advanceTimersByTime(6_000);
    slow!.release();
    expect(receivers.count()).toBe(0);
    await granted(2, of('com_1'));
    expect(await isGranted(receivers.permit(of('com_1')).acquire())).toBe(false);
    await granted(4, of('com_2'));
  });

  it('companies with the same receiver do not fill it for each other', () => {
    while (receivers.permitForNew(of('com_1'))) continue;
    expect(receivers.permitForNew(of('com_2'))).toBeDefined();
    expect(receivers.saturated()).toEqual(['whk_com_1']);
  });
});

describe('all receivers together', () => {
  it('all receivers together leave capacity for other companies', async () => {
    for (const origin of ['https://1.example', 'https://2.example']) await granted(2, subscription(origin, origin));
    const fifth = receivers.permit(subscription('whk_5', 'https://5.example')).acquire();
    expect(await isGranted(fifth)).toBe(false);
    await granted(2, subscription('whk_x', 'https://x.example', 'com_2'));
  });

  it('all receivers together leave a first request to every company, however many hang', async () => {
    const companies = Array.from({ length: 12 }, (_, n) => `com_${n}`);
    for (const company of companies) {
      const acquired = Array.from({ length: 6 }, (_, n) =>
        receivers.permit(subscription(`${company}/${n}`, `https://${n}.${company}.example`, company)).acquire(),
      );
      expect(await isGranted(acquired[0]!)).toBe(true);
    }
    await granted(1, subscription('whk_late', 'https://late.example', 'com_late'));
  });

  it('requests to slow receivers of a company are at most a tenth of all, and signal free capacity', async () => {
    receivers = receiversWith({ requestsMax: 40, requestsPerReceiverMax: 2, waitMsMax: 60_000 });
    const hanging = (n: number) => subscription(`whk_${n}`, `https://${n}.example`);
    const slow = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => granted(1, hanging(n))));
    jest.advanceTimersByTime(6_000);
    for (const [permit] of slow) permit!.release();
    for (const n of [1, 2, 3, 4]) await granted(1, hanging(n));
    expect(await isGranted(receivers.permit(hanging(5)).acquire())).toBe(false);
    await granted(2, subscription('whk_quick', 'https://quick.example'));
  });

  it('all receivers together have a limited number of new events here, and the others in the database', () => {
    const permits = Array.from({ length: 5_001 }, (_, n) =>
      receivers.permitForNew(subscription(`whk_${n}`, `https://${n}.example`)),
    );
    expect(permits.at(-2)).toBeDefined();
    expect(permits.at(-1)).toBeUndefined();
    expect(receivers.count()).toBe(5_000);
    permits.forEach((permit) => permit?.release());
    expect(receivers.count()).toBe(0);
  });

  it('all receivers together signal capacity for deliveries that could not be claimed', async () => {
    const listener = jest.fn();
    receivers.onCapacity(listener);
    const permits = await granted(2);
    for (let n = 0; n < 4; n += 1) receivers.permit(a);
    expect(receivers.saturated()).toEqual(['whk_a']);
    permits[0]!.release();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('all receivers together name the subscriptions of who keeps enough waiting, and how many more may come', async () => {
    expect(receivers.saturated()).toEqual([]);
    await granted(2);
    expect(receivers.capacity('whk_a')).toBe(16);
    for (let n = 0; n < 4; n += 1) receivers.permit(subscription(`whk_${n}`));
    expect(receivers.saturated().sort()).toEqual(['whk_0', 'whk_1', 'whk_2', 'whk_3', 'whk_a']);
    expect(receivers.capacity('whk_a')).toBe(12);
    expect(receivers.capacity('whk_unknown')).toBe(16);
  });
});

describe('aborting', () => {
  it('aborting ends open requests, waiting ones and those not started, and waits for their end', async () => {
    const [sent, alsoSent] = await granted(2);
    const inLine = receivers.permit(a);
    const waiting = inLine.acquire();
    const onItsWay = receivers.permit(a);
    const other = receivers.permit(subscription('whk_b'));
    let over = false;
    const aborted = receivers.abort('deleted', 'whk_a').then(() => {
      over = true;
    });
    expect(sent!.signal.reason).toBe('deleted');
    expect(await waiting).toBe(false);
    expect(await onItsWay.acquire()).toBe(false);
    expect(other.signal.aborted).toBe(false);
    expect(over).toBe(false);
    for (const permit of [sent!, alsoSent!, inLine, onItsWay]) permit.release();
    await aborted;
  });

  it('the abort of a subscription without requests ends immediately', async () => {
    await receivers.abort('deleted', 'whk_a');
  });
});
