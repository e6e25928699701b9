import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import { join } from './assignment.ts';
import { type FollowerState, openFollowerState } from './follower-state-store.ts';
import { joinFollower } from './membership.ts';
import { PARTITIONS } from '../event/envelope.ts';

const FOLLOWER = 'test-membership';
let fixture: FollowerTest;
let state: FollowerState;
let membership: Awaited<ReturnType<typeof joinFollower>> | undefined;

beforeEach(async () => {
  fixture = await startFollowerTest();
  state = openFollowerState(fixture.db, FOLLOWER);
});
afterEach(async () => {
  await membership?.stop();
  await fixture.end();
});

describe('a replica that is killed while a ping waits for its answer', () => {
  it('a replica that is killed while a ping waits for its answer is taken over as soon as NATS reports no responders, not when the ping has timed out', async () => {
    // Busy: it takes pings in and does not come to answering them.
    const busy = 'flw_busy';
    await state.update((current) => join(current, busy, new Date(), 60_000));
    const other = await fixture.connect();
    let pings = 0;
    const listening = other.connection.subscribe(fixture.broker.subject(`signals.followers.${FOLLOWER}.ping.${busy}`), {
      callback: () => void (pings += 1),
    });
    await other.connection.flush();

    let assigned: readonly number[] = [];
    membership = await joinFollower({
      follower: FOLLOWER,
      broker: fixture.broker,
      state,
      log: fixture.telemetry.log,
      onAssigned: async (partitions) => void (assigned = partitions),
      // Longer than the test waits.
      pingTimeoutMs: 60_000,
    });
    await waitUntil(() => pings > 0, { what: 'a ping' });
    expect(assigned).toEqual([]);
    listening.unsubscribe();
    await other.connection.flush();
    await waitUntil(() => assigned.length === PARTITIONS, { what: 'all partitions' });
  });
});
