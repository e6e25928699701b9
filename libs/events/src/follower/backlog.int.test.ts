import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';

let fixture: FollowerTest;
beforeEach(async () => void (fixture = await startFollowerTest()));
afterEach(() => fixture.end());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('an aggregate with a backlog', () => {
  it('an aggregate with a backlog does not delay others while it fails, and catches up in order from the stream', async () => {
    let broken = true;
    const { applied } = await fixture.follow({
      retryDelayMs: () => 100,
      onEvent: ({ aggregateId }) => {
        if (aggregateId === 'busy' && broken) throw new Error('not yet');
      },
    });
    for (let first = 0; first < 3000; first += 100)
      await Promise.all(numbers(100).map((n) => fixture.broker.publish(contactEvent('busy', first + n))));
    await fixture.publish(contactEvent('quiet', 1));
    await waitUntil(() => applied.includes('quiet 1'), { what: 'the other aggregate' });
    expect(byAggregate(applied)['busy']).toBeUndefined();
    const behind = () => fixture.db.collection('follower_positions').countDocuments({ behind: { $exists: true } });
    await waitUntil(async () => (await behind()) === 1, { what: 'it to be behind' });
    broken = false;
    await waitUntil(() => applied.length === 3001, { what: 'the backlog' });
    expect(byAggregate(applied)['busy']).toEqual(numbers(3000));
    await waitUntil(async () => (await behind()) === 0, { what: 'it to be caught up' });
    await fixture.publish(contactEvent('busy', 3001));
    await waitUntil(() => applied.includes('busy 3001'), { what: 'the next one' });
  });

  it('an aggregate with a backlog is taken up by the next replica where it was left', async () => {
    const first = await fixture.follow({ retryDelayMs: () => 60_000, onEvent: () => Promise.reject(new Error('no')) });
    await fixture.publish(...numbers(30).map((sequence) => contactEvent('a', sequence)));
    await waitUntil(
      async () =>
        (await fixture.db.collection('follower_positions').countDocuments({ behind: { $exists: true } })) === 1,
      { what: 'it to be behind' },
    );
    await first.follower.stop();
    await fixture.db.collection('follower_positions').updateMany({}, { $set: { 'behind.resumeAt': new Date() } });
    const { applied } = await fixture.follow();
    await waitUntil(() => applied.length === 30, { what: 'all events' });
    expect(byAggregate(applied)).toEqual({ a: numbers(30) });
  });
});
