import { microsecondTicker, systemClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ALL_NUMBERS, applyFact, type InboxItem, type ItemFact, seenItem } from './inbox-item.ts';
import { type InboxStore, openInbox } from './inbox-store.ts';
import { type ActivityQuery, listActivity, observe, observeAny } from '../inbox/list-activity-store.ts';
import { markSeen } from '../inbox/mark-seen-store.ts';
import { type InboxProjection, inboxProjection } from './projection-store.ts';
import { refreshStale } from './start-stale-threads.ts';
import { ANE, call, COMPANY, fact, latestTime, voicemailOf } from '../../test/item-facts.ts';
import { claimStorage, latestContent, type Thread, threadId } from './thread.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const nowMicros = microsecondTicker(systemClock);

let store: InboxStore;
/** Two processes that work on one database. */
let projections: [InboxProjection, InboxProjection];
beforeEach(async () => {
  const db = mongo.database('inbox');
  store = await openInbox(db);
  const open = async () => inboxProjection({ store: await openInbox(db), clock: systemClock, nowMicros });
  projections = [await open(), await open()];
});

const thread = (scope = ALL_NUMBERS, phone = ANE) => store.threads.of(COMPANY).get(threadId(COMPANY, scope, phone));
const activity: ActivityQuery = {
  companyId: COMPANY,
  phone: ANE,
  businessNumberId: undefined,
  withMessages: true,
};
async function activityIds(query: Partial<ActivityQuery> = {}): Promise<string[]> {
  const asked = { ...activity, ...query };
  const observedAt = (await observe(store, asked)) ?? 0;
  return (await listActivity(store, asked, { limit: 100, observedAt, after: undefined })).map(({ id }) => id);
}

describe('the inbox', () => {
  it('the inbox summarises a thread for all numbers and for each, with texts and without', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_1' }));
    await projection.apply(fact({ id: 'msg_1', businessNumberId: 'num_2', content: { type: 'message' } }));
    expect(await thread()).toMatchObject({
      withMessages: { latestItem: { id: 'msg_1' }, unseenCount: 2 },
      withoutMessages: { latestItem: { id: 'call_1' }, unseenCount: 1 },
      businessNumberIds: ['num_1', 'num_2'],
      callNumberIds: ['num_1'],
      claims: [],
    });
    expect(await thread('num_1')).toMatchObject({ withMessages: { latestItem: { id: 'call_1' }, unseenCount: 1 } });
    expect(await thread('num_2')).toMatchObject({ withMessages: { unseenCount: 1 }, withoutMessages: null });
    expect(await activityIds()).toEqual(['msg_1', 'call_1']);
    expect(await activityIds({ withMessages: false })).toEqual(['call_1']);
    expect(await activityIds({ businessNumberId: 'num_2' })).toEqual(['msg_1']);
  });

  it('the inbox does not count outgoing activity, and an answered call only until its answer', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'msg_1', direction: 'outbound', content: { type: 'message' } }));
    await projection.apply(fact({ id: 'call_1', sequence: 1 }));
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 1 } });
    await projection.apply(fact({ id: 'call_1', sequence: 2, seenAt: 5 }));
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 0 } });
    expect((await store.items.of(COMPANY).get('call_1'))?.seenAt).toBe(5);
  });

  it('the inbox ignores a fact that came before, and one that is older than what it has', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_1', sequence: 3, durationSecs: 7 }));
    await projection.apply(fact({ id: 'call_1', sequence: 3, durationSecs: 9 }));
    await projection.apply(fact({ id: 'call_1', sequence: 2, durationSecs: 8 }));
    expect(await store.items.of(COMPANY).get('call_1')).toMatchObject({ durationSecs: 7, sequence: 3 });
    expect(await thread()).toMatchObject({ withMessages: { unseenCount: 1 } });
  });

  it.each([
    ['after its call', ['call', 'voicemail']],
    ['before its call', ['voicemail', 'call']],
  ])('the inbox shows a voicemail instead of its call when it arrives %s, and counts them once', async (_, order) => {
    const [projection] = projections;
    const facts: Record<string, ItemFact> = {
      call: fact({ id: 'call_1' }),
      voicemail: fact({ id: 'vm_1', content: voicemailOf('call_1') }),
    };
    for (const name of order) await projection.apply(facts[name]!);
    expect(await activityIds()).toEqual(['vm_1']);
    expect(await thread()).toMatchObject({ withMessages: { latestItem: { id: 'vm_1' }, unseenCount: 1 } });
    await projection.remove(COMPANY, 'vm_1');
    expect(await activityIds()).toEqual(['call_1']);
    expect(await thread()).toMatchObject({ withMessages: { latestItem: { id: 'call_1' }, unseenCount: 1 } });
  });

  it('the inbox holds an observation back while an item is being stored, so that it is never covered before it can be read', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'call_1' }));
    const before = (await observe(store, activity))!;
    // The state after a process that ended after the claim: the same fact comes again later.
    const held = { itemId: 'call_2', storedAt: before + 1000 };
    await store.threads.of(COMPANY).change(threadId(COMPANY, ALL_NUMBERS, ANE), (current) => ({
      ok: true,
      state: { ...current, lastStoredAt: held.storedAt, claims: [held] },
      events: [],
      commands: [],
      timers: {},
    }));
    await projection.apply(fact({ id: 'call_3' }));
    expect(await observe(store, activity)).toBe(held.storedAt - 1);
    expect(await activityIds()).toEqual(['call_1']);
    await projection.apply(fact({ id: 'call_2' }));
    expect((await store.items.of(COMPANY).get('call_2'))?.storedAt).toBe(held.storedAt);
    expect(await activityIds()).toEqual(['call_2', 'call_3', 'call_1']);
  });

  it('the inbox summarises an outgoing text again whose process ended before all of its threads had it', async () => {
    const [projection, other] = projections;
    const text = fact({ id: 'msg_1', direction: 'outbound', content: { type: 'message' } });
    await projection.apply(text);
    const before = (await thread('num_1'))!;
    const next = fact({ id: 'msg_2', direction: 'outbound', content: { type: 'message' } });
    await projection.apply(next);
    await store.threads
      .of(COMPANY)
      .change(before.id, (current) => decided({ ...before, revision: current.revision + 1 }));
    await other.apply(next);
    for (const scope of ['num_1', ALL_NUMBERS])
      expect(await thread(scope)).toMatchObject({ claims: [], withMessages: { latestItem: { id: 'msg_2' } } });
    expect(await activityIds()).toEqual(['msg_2', 'msg_1']);
  });

  it('the inbox creates the threads of a text again that were removed while it was stored', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'msg_1', direction: 'outbound', content: { type: 'message' } }));
    for (const scope of ['num_1', ALL_NUMBERS])
      await store.threads.of(COMPANY).change(threadId(COMPANY, scope, ANE), () => decided(null));
    await projection.apply(fact({ id: 'msg_2', direction: 'outbound', content: { type: 'message' } }));
    for (const scope of ['num_1', ALL_NUMBERS]) await expectExact(ANE, scope);
    expect(await activityIds()).toEqual(['msg_2', 'msg_1']);
  });

  it('the inbox does not create threads again that were empty and removed before a change of their items was summarised', async () => {
    const [projection] = projections;
    const scopes = ['num_1', ALL_NUMBERS];
    await projection.apply(fact({ id: 'call_1' }));
    const change = await projection.expectChange(COMPANY, ANE, scopes);
    await store.items.of(COMPANY).change('call_1', () => decided(null));
    for (const scope of scopes)
      await store.threads.of(COMPANY).change(threadId(COMPANY, scope, ANE), () => decided(null));
    await projection.refresh(COMPANY, ANE, scopes, { changes: [change] });
    for (const scope of scopes) expect(await thread(scope)).toBeUndefined();
  });

  it('the inbox gives the first item of a thread a time after every observation that found none', async () => {
    // A process that is slow to store what it has begun.
    let now = 1_000_000_000;
    const clock = { ...systemClock, now: () => new Date(now / 1000) };
    const slow = inboxProjection({ store, clock, nowMicros: () => now });
    const { createMissing } = store.threads.bulk;
    let observedAt = 0;
    const holding = jest.spyOn(store.threads.bulk, 'createMissing').mockImplementationOnce(async (states) => {
      now += 60_000_000;
      observedAt = await observeAny(store, activity, () => now);
      now += 1;
      return createMissing(states);
    });
    await slow.apply(fact({ id: 'call_first', createdAt: 0 }));
    holding.mockRestore();
    expect((await store.items.of(COMPANY).get('call_first'))?.storedAt).toBeGreaterThan(observedAt);
    expect(await markSeen(store, slow, { ...activity, through: observedAt, at: 1 })).toBe(false);
  });

  it('the inbox summarises an item that another process has stored at the same time and not yet summarised', async () => {
    await projections[0].apply(fact({ id: 'msg_1', content: { type: 'message' } }));
    const second = inboxProjection({ store, clock: systemClock, nowMicros });
    const { createMissing } = store.items.bulk;
    const holding = jest.spyOn(store.items.bulk, 'createMissing').mockImplementationOnce(async (states) => {
      await createMissing(states);
      return states.map(() => false);
    });
    await second.apply(fact({ id: 'msg_2', content: { type: 'message' } }));
    holding.mockRestore();
    for (const scope of [ALL_NUMBERS, 'num_1']) await expectExact(ANE, scope);
    expect(await thread()).toMatchObject({ claims: [], withMessages: { latestItem: { id: 'msg_2' }, unseenCount: 2 } });
  });

  it('the inbox summarises what a process left behind that ended while it marked items as seen, whatever came in between', async () => {
    const [projection, other] = projections;
    await projection.apply(fact({ id: 'call_1' }));
    await projection.expectChange(COMPANY, ANE, ['num_1', ALL_NUMBERS]);
    await other.apply(fact({ id: 'msg_1', content: { type: 'message' } }));
    await store.items.of(COMPANY).change('call_1', (item) => decided(seenItem(item, 7)));
    for (const scope of [ALL_NUMBERS, 'num_1']) {
      const stale = (await thread(scope))!;
      expect(stale.staleSince).toBeDefined();
      expect(stale.withMessages?.unseenCount).toBe(2);
      await refreshStale(store, other, stale, new Date(Date.now() + 10_000));
      await expectExact(ANE, scope);
      expect((await thread(scope))?.staleSince).toBeUndefined();
    }
  });

  it('the inbox settles the claims of a process that ended before it had summarised, and drops those whose item never arrives', async () => {
    const [projection] = projections;
    await projection.apply(fact({ id: 'msg_1', content: { type: 'message' } }));
    const own = store.threads.of(COMPANY);
    const id = threadId(COMPANY, ALL_NUMBERS, ANE);
    await own.change(id, (current) =>
      decided(claimStorage(current, { id: 'gone_1', createdAt: 0 }, nowMicros(), new Date())),
    );
    await own.change(id, (current) =>
      decided(claimStorage(current, { id: 'msg_2', createdAt: 0 }, nowMicros(), new Date())),
    );
    const [, { storedAt }] = (await thread())!.claims as [unknown, { storedAt: number }];
    const left = applyFact(undefined, fact({ id: 'msg_2', content: { type: 'message' } }), storedAt, new Date());
    await store.items.of(COMPANY).create(decided(left));
    await refreshStale(store, projection, (await thread())!, new Date(Date.now() + 10_000));
    expect((await thread())?.claims.map(({ itemId }) => itemId)).toEqual(['gone_1']);
    expect(await thread('num_1')).toMatchObject({ withMessages: { latestItem: { id: 'msg_2' } } });
    await refreshStale(store, projection, (await thread())!, new Date(Date.now() + 3_600_000));
    expect(await thread()).toMatchObject({ claims: [], withMessages: { unseenCount: 2 } });
    expect(await activityIds()).toEqual(['msg_2', 'msg_1']);
  });

  describe('the database commands of the inbox', () => {
    const commands: string[] = [];
    let client: MongoClient;
    let projection: InboxProjection;
    beforeAll(async () => {
      client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
      client.on('commandStarted', ({ commandName }) => commands.push(commandName));
      const watched = await openInbox(client.db(mongo.database('inbox_commands').databaseName));
      projection = inboxProjection({ store: watched, clock: systemClock, nowMicros });
    });
    afterAll(() => client.close());

    const commandsOf = async (...facts: ItemFact[]) => {
      commands.length = 0;
      await Promise.all(facts.map((one) => projection.apply(one, one.sequence === 1)));
      return commands.length;
    };

    it('the inbox stores a text with few database commands, and an outgoing one with two', async () => {
      const text = (id: string, direction: 'inbound' | 'outbound') =>
        fact({ id, direction, createdAt: latestTime(), content: { type: 'message' } });
      await projection.apply(text('msg_1', 'inbound'), true);
      expect(await commandsOf(text('msg_2', 'inbound'))).toBeLessThanOrEqual(3);
      expect(await commandsOf(text('msg_3', 'outbound'))).toBeLessThanOrEqual(2);
    });

    it('the inbox stores texts that arrive together with fewer database commands each, as they do not compete for their thread', async () => {
      const phone = '+4520304058';
      const texts = Array.from({ length: 30 }, (_, n) =>
        fact({ id: `burst_${n}`, phone, content: { type: 'message' } }),
      );
      expect(await commandsOf(...texts)).toBeLessThan(2 * texts.length);
    });

    it('the inbox does not search for the newest item when a person calls again', async () => {
      const ofPerson = (id: string, sequence: number, createdAt: number, missed: boolean) => {
        const content = { ...call, missed };
        return fact({ id, phone: '+4520304057', sequence, createdAt, content });
      };
      await projection.apply(ofPerson('call_first', 1, latestTime(), false));
      const at = latestTime();
      expect(await commandsOf(ofPerson('call_next', 1, at, false))).toBeLessThanOrEqual(7);
      expect(await commandsOf(ofPerson('call_next', 2, at, true))).toBeLessThanOrEqual(3);
    });

    it('the inbox follows a call with one database command for each change that lists of threads do not show', async () => {
      const states = (['initiated', 'queued', 'transferring', 'answered', 'bridged', 'ended'] as const).map(
        (state, index) => ({
          content: { ...call, state, missed: false },
          sequence: index + 1,
          createdAt: latestTime(),
        }),
      );
      const seen = { seenAt: 7 };
      const [initiated, queued, ringing, answered, bridged, ended] = states as [
        Partial<ItemFact>,
        ...Partial<ItemFact>[],
      ];
      const costs: number[] = [];
      for (const state of [initiated, queued, ringing, { ...answered, ...seen }, { ...bridged, ...seen }, ended])
        costs.push(await commandsOf(fact({ id: 'call_costs', phone: '+4520304059', ...state })));
      expect(costs.map((cost, index) => cost <= [8, 1, 1, 4, 1, 1][index]!)).toEqual(costs.map(() => true));
    });
  });

  it('the inbox keeps pages as they were at the first one while items arrive', async () => {
    const [projection] = projections;
    for (let n = 0; n < 10; n++) await projection.apply(fact({ id: `call_${n}` }));
    const observedAt = (await observe(store, activity))!;
    const seen: string[] = [];
    let after: { observedAt: number; at: number; id: string } | undefined;
    for (let page = 0; page < 4; page++) {
      const items: InboxItem[] = await listActivity(store, activity, { limit: 3, observedAt, after });
      seen.push(...items.map(({ id }) => id));
      const last = items.at(-1);
      if (last) after = { observedAt, at: last.createdAt, id: last.id };
      await projection.apply(fact({ id: `late_${page}`, createdAt: latestTime() - 5000 }));
      await projection.apply(fact({ id: `vm_${page}`, content: voicemailOf(`call_${page}`) }));
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => `call_${9 - n}`));
  });

  it('the inbox applies the owner’s data again, unless an event was faster', async () => {
    const [projection] = projections;
    const later = new Date(Date.now() + 60_000);
    const missed = fact({ id: 'call_r' });
    expect(await projection.restore(missed, later)).toBe('added');
    expect(await projection.restore(missed, later)).toBe('unchanged');
    const answered = { ...missed, content: { ...call, missed: false }, seenAt: 5 };
    await projection.apply({ ...answered, sequence: 3 });
    expect(await projection.restore(missed, new Date(0))).toBe('unchanged');
    expect((await thread())?.withMessages).toMatchObject({
      unseenCount: 0,
      latestItem: { content: { missed: false } },
    });
    expect(await projection.restore({ ...answered, durationSecs: 9 }, later)).toBe('changed');
    // A later event still counts.
    await projection.apply({ ...answered, durationSecs: 10, sequence: 4 });
    expect(await store.items.of(COMPANY).get('call_r')).toMatchObject({ durationSecs: 10, sequence: 4, seenAt: 5 });
  });

  it('the inbox equals a recomputation from its items after two processes have changed them at random', async () => {
    const phones = [ANE, '+4520304051', '+4520304052'];
    const numbers = ['num_1', 'num_2'];
    const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)]!;
    const facts: ItemFact[] = [];
    for (let n = 0; n < 30; n++) {
      const phone = pick(phones);
      const common = { phone, businessNumberId: pick(numbers), direction: pick(['inbound', 'outbound'] as const) };
      if (n % 3 === 0) facts.push(fact({ ...common, id: `msg_${n}`, content: { type: 'message' } }));
      else
        facts.push(
          fact({ ...common, id: `call_${n}` }),
          fact({ ...common, id: `call_${n}`, sequence: 2, seenAt: pick([null, 9]) }),
        );
      if (n % 5 === 1)
        facts.push(fact({ ...common, id: `vm_${n}`, direction: 'inbound', content: voicemailOf(`call_${n}`) }));
    }
    // The facts of one item keep their order, as events of one aggregate do; everything else is mixed, some come twice.
    const byItem = [...Map.groupBy(facts, ({ id }) => id).values()];
    await Promise.all(
      byItem.map(async (ofItem) => {
        for (const one of [...ofItem, ...ofItem]) await pick(projections).apply(one);
        const { phone } = ofItem[0]!;
        if (Math.random() < 0.3) {
          const through = (await observe(store, { ...activity, phone })) ?? 0;
          await markSeen(store, pick(projections), { ...activity, phone, through, at: 77 });
        }
      }),
    );
    for (const phone of phones) for (const scope of [ALL_NUMBERS, ...numbers]) await expectExact(phone, scope);
  }, 120_000);
});

async function expectExact(phone: string, scope: string): Promise<void> {
  const items: InboxItem[] = [];
  for await (const item of store.items.of(COMPANY).find({ phone }, { createdAt: -1 })) items.push(item);
  const own = items.filter(
    ({ businessNumberId, replacedAt }) => (scope === ALL_NUMBERS || scope === businessNumberId) && replacedAt === null,
  );
  const summary = (of: InboxItem[]): Thread['withMessages'] => {
    const [latest] = of;
    if (!latest) return null;
    const { id, businessNumberId, direction, content, createdAt } = latest;
    const unseenCount = of.filter((item) => item.direction === 'inbound' && item.seenAt === null).length;
    return {
      lastActivityAt: createdAt,
      latestItem: { id, businessNumberId, direction, content: latestContent(content) },
      unseenCount,
      unseen: unseenCount > 0,
    };
  };
  const found = await thread(scope, phone);
  expect(found?.claims ?? []).toEqual([]);
  expect(found?.withMessages ?? null).toEqual(summary(own));
  expect(found?.withoutMessages ?? null).toEqual(summary(own.filter(({ content }) => content.type !== 'message')));
}
