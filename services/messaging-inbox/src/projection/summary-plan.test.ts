import { describe, expect, it } from '@jest/globals';
import { fact } from '../../test/item-facts.ts';
import { ALL_NUMBERS, applyFact, type InboxItem, type ItemFact } from './inbox-item.ts';
import { type ItemsChange, mergeChanges, planSummaries, summarizeThreads } from './summary-plan.ts';
import { newThread, type Thread, type ThreadItems } from './thread.ts';

const COMPANY = 'com_1';
const phone = '+4520304050';
const scopes = ['num_1', ALL_NUMBERS];
const everything = { latest: true, unseen: true };
const text: Partial<ItemFact> = { direction: 'outbound', content: { type: 'message' } };

const itemOf = (given: Partial<ItemFact> & { id: string }, storedAt = 100): InboxItem =>
  applyFact(undefined, fact({ phone, ...given }), storedAt, new Date(0));
const planned = (change: ItemsChange, threads: readonly (Thread | undefined)[]) =>
  planSummaries(mergeChanges([{ scopes, change }]), threads);

/** Both threads once these items are stored in them; `latest` is the newest. */
function threadsWith(latest: InboxItem, unseenCount = 0): Thread[] {
  const found: ThreadItems = {
    withMessages: { latest, unseenCount },
    withoutMessages: { latest: latest.content.type === 'message' ? null : latest, unseenCount },
  };
  const change = mergeChanges([{ scopes, change: { stored: [latest] } }]);
  const items = new Map(scopes.map((scope) => [scope, found]));
  return summarizeThreads({ companyId: COMPANY, phone }, change, [undefined, undefined], items).map(
    ({ after }) => after,
  );
}

describe('the plan of summaries', () => {
  it('a new text that is the newest item needs nothing else', () => {
    const before = threadsWith(itemOf({ id: 'msg_1', ...text, createdAt: 1 }));
    const next = itemOf({ id: 'msg_2', ...text, createdAt: 2 });
    const { items } = planned({ stored: [next], affected: { latest: true, unseen: false }, added: {} }, before);
    expect(items).toMatchObject({ latest: true, unseen: false, withoutMessages: false, newest: next });
    expect(items.counts?.get(ALL_NUMBERS)).toBe(0);
  });

  it('the newest item is searched for when a summary has a newer one, and when items were removed', () => {
    const before = threadsWith(itemOf({ id: 'msg_9', ...text, createdAt: 9 }));
    const older = itemOf({ id: 'msg_2', ...text, createdAt: 2 });
    expect(planned({ stored: [older], affected: everything }, before).items.newest).toBeUndefined();
    expect(planned({ changes: ['chg_1'], affected: everything }, before).items.newest).toBeUndefined();
  });

  it('a thread that is new needs every part of its summaries', () => {
    const first = itemOf({ id: 'call_1' });
    const { items } = planned({ stored: [first], affected: { latest: true, unseen: false } }, [undefined, undefined]);
    expect(items).toMatchObject({ ...everything, withoutMessages: true });
  });

  it('an unseen item is added to the counts while its claim is the latest one of the thread', () => {
    const before = threadsWith(itemOf({ id: 'call_1', createdAt: 1 }), 1);
    const stored = [itemOf({ id: 'call_2', createdAt: 2 })];
    const claimedAs = before[1]!.revision;
    const counted = planned({ stored, affected: everything, added: { claimedAs } }, before).items.counts;
    expect(counted?.get(ALL_NUMBERS)).toBe(2);
    const outdated = { stored, affected: everything, added: { claimedAs: claimedAs - 1 } };
    expect(planned(outdated, before).items.counts).toBeUndefined();
    expect(planned({ stored, affected: everything }, before).items.counts).toBeUndefined();
  });

  it('an item that is stored in a thread that is done opens it', () => {
    const [ofNumber, ofAll] = threadsWith(itemOf({ id: 'call_1', createdAt: 1 }, 100)) as [Thread, Thread];
    const done = { ...ofAll, handling: { assigneeId: null, done: true, doneThrough: 100, revision: 1 } };
    const later = itemOf({ id: 'call_2', createdAt: 2 }, 101);
    expect(planned({ stored: [later], affected: everything }, [ofNumber, done]).reopenedAt).toBe(101);
    expect(planned({ changes: ['chg_1'], affected: everything }, [ofNumber, done]).reopenedAt).toBeUndefined();
  });
});

describe('summarized threads', () => {
  it('an empty thread that was removed is not created again', () => {
    const nothing = { withMessages: { latest: null, unseenCount: 0 }, withoutMessages: undefined };
    const change = mergeChanges([{ scopes, change: { changes: ['chg_1'] } }]);
    const items = new Map(scopes.map((scope) => [scope, nothing]));
    const known = [undefined, newThread(COMPANY, ALL_NUMBERS, phone)];
    const written = summarizeThreads({ companyId: COMPANY, phone }, change, known, items);
    expect(written.map(({ after }) => after.scope)).toEqual([ALL_NUMBERS]);
  });

  it('several changes are summarised together, each item in the threads of its number', () => {
    const [one, other] = [itemOf({ id: 'call_1' }), itemOf({ id: 'call_2', businessNumberId: 'num_2' })];
    const change = mergeChanges([
      { scopes, change: { stored: [one], affected: everything } },
      { scopes: ['num_2', ALL_NUMBERS], change: { stored: [other], affected: { latest: true, unseen: false } } },
    ]);
    expect(change).toMatchObject({ scopes: ['num_1', ALL_NUMBERS, 'num_2'], affected: everything, isExact: true });
    const found = { withMessages: { latest: other, unseenCount: 1 }, withoutMessages: undefined };
    const items = new Map(change.scopes.map((scope) => [scope, found]));
    const written = summarizeThreads({ companyId: COMPANY, phone }, change, [undefined, undefined, undefined], items);
    expect(written.map(({ after }) => after.businessNumberIds)).toEqual([['num_1'], ['num_1', 'num_2'], ['num_2']]);
  });
});
