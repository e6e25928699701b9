import { trackBackgroundWork } from '@parley/clock';
import { createLog } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startExpirySweep } from './expiry.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const lines: string[] = [];
const log = createLog({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });

describe('an expiry sweep', () => {
  it('an expiry sweep removes what has expired, at once and again and again, and nothing else', async () => {
    const things = mongo.database().collection<{ _id: string; until: number }>('things');
    await things.insertMany([1, 2, 3].map((until) => ({ _id: `${until}`, until })));
    let now = 1;
    const options = { collection: things, everyMs: 20, backgroundWork: trackBackgroundWork(), log };
    const sweep = startExpirySweep({ ...options, expired: () => ({ until: { $lte: now } }) });
    const left = async () => (await things.find().toArray()).map(({ until }) => until);
    await waitUntil(async () => (await left()).join() === '2,3', { what: 'the first to be removed' });
    now = 2;
    await waitUntil(async () => (await left()).join() === '3', { what: 'the second to be removed' });
    await sweep.stop();
    now = 3;
    expect(await left()).toEqual([3]);
  });

  it('an expiry sweep logs a failure, and continues', async () => {
    const things = mongo.database().collection<{ _id: string }>('things');
    await things.insertOne({ _id: 'a' });
    let calls = 0;
    const sweep = startExpirySweep({
      collection: things,
      expired: () => (calls++ === 0 ? { $nonsense: 1 } : {}) as object,
      everyMs: 20,
      backgroundWork: trackBackgroundWork(),
      log,
    });
    await waitUntil(async () => (await things.countDocuments()) === 0, { what: 'the second sweep' });
    await sweep.stop();
    expect(lines.some((line) => line.includes('sweep failed'))).toBe(true);
  });

  it('an expiry sweep has ended its last sweep when it has stopped', async () => {
    const things = mongo.database().collection<{ _id: string }>('things');
    const backgroundWork = trackBackgroundWork();
    const sweep = startExpirySweep({ collection: things, expired: () => ({}), everyMs: 60_000, backgroundWork, log });
    expect((await backgroundWork.report()).busy).toBe(1);
    await sweep.stop();
    expect(await backgroundWork.report()).toEqual({ busy: 0, finished: 1 });
  });
});
