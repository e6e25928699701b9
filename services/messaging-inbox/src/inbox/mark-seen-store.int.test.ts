import { microsecondTicker, systemClock } from '@parley/clock';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ANE, COMPANY, fact, latestTime, voicemailOf } from '../../test/item-facts.ts';
import { ALL_NUMBERS, applyFact } from '../projection/inbox-item.ts';
import { type InboxStore, openInbox } from '../projection/inbox-store.ts';
import { observe } from './list-activity-store.ts';
import { markSeen } from './mark-seen-store.ts';
import { type InboxProjection, inboxProjection } from '../projection/projection-store.ts';
import { threadId } from '../projection/thread.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const nowMicros = microsecondTicker(systemClock);
let store: InboxStore;
let projections: [InboxProjection];
beforeEach(async () => {
  store = await openInbox(mongo.database('inbox'));
  projections = [inboxProjection({ store, clock: systemClock, nowMicros })];
});

const activity = { companyId: COMPANY, phone: ANE, businessNumberId: undefined, withMessages: true };
const thread = (scope = ALL_NUMBERS) => store.threads.of(COMPANY).get(threadId(COMPANY, scope, ANE));

describe('marking as seen', () => {
  it('marking as seen marks as seen what was stored until the observation, and leaves what came later', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_1' }));
    await projection.apply(fact({ id: 'vm_1', content: voicemailOf('call_1') }));
    const through = (await observe(store, activity))!;
    // Older by its own time, stored later.
    await projection.apply(
      fact({ id: 'msg_1', createdAt: latestTime() - 3_600_000_000, content: { type: 'message' } }),
    );
    const mark = { ...activity, through, at: through + 10 };
    expect(await markSeen(store, projection, mark)).toBe(true);
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 1 }, withoutMessages: { unseenCount: 0 } });
    expect((await store.items.of(COMPANY).get('call_1'))?.seenAt).toBe(through + 10);
    expect(await markSeen(store, projection, mark)).toBe(false);
  });

  it('marking as seen marks an item as seen up to its own time, and not the one after it', async () => {
    // The clock is fixed: items that are stored later than a second after their time have their own.
    const [first, second] = [nowMicros(), nowMicros()];
    const projection = inboxProjection({ store, clock: systemClock, nowMicros: () => second });
    await projection.apply(fact({ id: 'msg_1', createdAt: first, content: { type: 'message' } }));
    await projection.apply(fact({ id: 'msg_2', createdAt: second, content: { type: 'message' } }));
    const mark = (through: number) => markSeen(store, projection, { ...activity, through, at: 1 });
    expect(await mark(first - 1)).toBe(false);
    expect(await mark(first)).toBe(true);
    expect((await store.items.of(COMPANY).get('msg_1'))?.seenAt).toBe(1);
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 1 } });
    expect(await mark(second - 1)).toBe(false);
    expect(await mark(second)).toBe(true);
  });

  it('marking as seen marks only what belongs to the given number, and no texts while they are off', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_1' }));
    await projection.apply(fact({ id: 'call_2', businessNumberId: 'num_2' }));
    await projection.apply(fact({ id: 'msg_1', businessNumberId: 'num_2', content: { type: 'message' } }));
    const through = (await observe(store, activity))!;
    await markSeen(store, projection, { ...activity, businessNumberId: 'num_2', withMessages: false, through, at: 1 });
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 2 }, withoutMessages: { unseenCount: 1 } });
    expect(await thread('num_2')).toMatchObject({ withMessages: { unseenCount: 1 } });
  });

  it('marking as seen marks any number of items as seen, a page at a time', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_0' }));
    const { storedAt } = (await store.items.of(COMPANY).get('call_0'))!;
    const many = Array.from({ length: 1200 }, (_, n) =>
      applyFact(undefined, fact({ id: `call_${n + 1}` }), storedAt + n + 1, new Date()),
    );
    await store.items.bulk.createMissing(many);
    const mark = { ...activity, through: storedAt + 1100, at: 5 };
    expect(await markSeen(store, projection, mark)).toBe(true);
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 100 }, pendingChanges: [] });
    expect(await markSeen(store, projection, mark)).toBe(false);
  });
});
