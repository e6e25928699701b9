import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Binary } from 'mongodb';
import type { OutboxEntry } from '../stored/bookkeeping.ts';
import type { StoredDocument } from '../stored/stored-document.ts';
import type { PendingDocument } from './pending-documents.ts';
import { publishedOutboxes } from './published-outboxes.ts';

const OWNER = 'relay_1';
const SOON_MS = { min: 0, max: 1 };
/** Longer than the test. */
const LATER_MS = { min: 0, max: 60_000 };

const entry = (id: string): OutboxEntry => ({
  id,
  type: 'directory.contact.updated',
  sequence: 1,
  occurredAt: new Date(),
  traceparent: null,
  data: new Binary(new Uint8Array()),
});

const document = (_version: number, ids: readonly string[], owner: string | null = OWNER): StoredDocument => ({
  _id: 'con_1',
  companyId: 'com_1',
  _version,
  _stamps: [],
  _deleted: false,
  _eventCounts: {},
  _outbox: ids.map(entry),
  _relay: owner === null ? null : { owner, until: new Date(Date.now() + 10_000) },
});

/** A document whose event `one` was published. `removeFrom` is what removes events by a write of its own. */
function published(removeFrom: (outboxes: Outboxes) => Promise<void>, delayMs = SOON_MS) {
  // A timer that is left would keep the process of the tests from ending.
  if (delayMs === LATER_MS) jest.useFakeTimers();
  let removals = 0;
  const outboxes: Outboxes = publishedOutboxes({
    async removeFrom(_id, isWanted) {
      if (!isWanted()) return;
      removals += 1;
      await removeFrom(outboxes);
    },
    delayMs,
  });
  const first = document(1, ['one']);
  outboxes.begin(first, OWNER);
  outboxes.onPublished(first as unknown as PendingDocument, OWNER);
  return { outboxes, removals: () => removals };
}
type Outboxes = ReturnType<typeof publishedOutboxes>;

const neverWritten = async () => {};
const idsIn = (entries: readonly OutboxEntry[] | undefined) => entries?.map(({ id }) => id);
/** The document with what is left to publish. */
async function leftOf(removed: ReturnType<Outboxes['removed']>): Promise<PendingDocument> {
  const left = await removed;
  if (left === null || left === 'kept') throw new Error(`nothing is left to publish: ${left}`);
  return left;
}

afterEach(() => void jest.useRealTimers());

describe('published events', () => {
  it('published events are removed by the next write of their document, and not by another one', async () => {
    const { outboxes, removals } = published(neverWritten);
    const removed = outboxes.removed('con_1', OWNER);
    expect(outboxes.leftIn(document(1, ['one']))).toEqual([]);
    outboxes.onWritten(document(2, [], null));
    expect(await removed).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(removals()).toBe(0);
  });

  it('published events are removed by a write of their own when there is no other', async () => {
    const { outboxes, removals } = published(async (all) => all.onWritten(document(2, [], null)));
    expect(await outboxes.removed('con_1', OWNER)).toBeNull();
    expect(removals()).toBe(1);
  });

  it('published events are kept for as long as another write of their document is likely, and no longer', async () => {
    jest.useFakeTimers();
    const delayMs = { min: 200, max: 350 };
    const { outboxes, removals } = published(async (all) => all.onWritten(document(2, [], null)), delayMs);
    const removed = outboxes.removed('con_1', OWNER);
    await jest.advanceTimersByTimeAsync(delayMs.min - 1);
    expect(removals()).toBe(0);
    await jest.advanceTimersByTimeAsync(delayMs.max - delayMs.min + 1);
    expect(removals()).toBe(1);
    expect(await removed).toBeNull();
  });

  it('published events are left to the relay when there is no other write and none of their own', async () => {
    const outboxes = publishedOutboxes({ delayMs: SOON_MS });
    const first = document(1, ['one']);
    outboxes.begin(first, OWNER);
    outboxes.onPublished(first as unknown as PendingDocument, OWNER);
    expect(await outboxes.removed('con_1', OWNER)).toBe('kept');
    outboxes.onWritten(document(2, ['two']));
    expect(idsIn((await leftOf(outboxes.removed('con_1', OWNER)))._outbox)).toEqual(['two']);
  });

  it('published events leave what a write has added, which is published next', async () => {
    const { outboxes } = published(neverWritten, LATER_MS);
    const removed = outboxes.removed('con_1', OWNER);
    outboxes.onWritten(document(2, ['two', 'three']));
    const left = await leftOf(removed);
    expect(idsIn(left._outbox)).toEqual(['two', 'three']);
    outboxes.onPublished(left, OWNER);
    const last = outboxes.removed('con_1', OWNER);
    outboxes.onWritten(document(3, [], null));
    expect(await last).toBeNull();
  });

  it('published events that were published during a write that still has them are not published again', async () => {
    const { outboxes } = published(neverWritten, LATER_MS);
    outboxes.onWritten(document(2, ['one', 'two']));
    expect(idsIn((await leftOf(outboxes.removed('con_1', OWNER)))._outbox)).toEqual(['two']);
    expect(idsIn(outboxes.leftIn(document(2, ['one', 'two'])))).toEqual(['two']);
  });

  it('published events of a deleted document are left to the relay, which removes it', async () => {
    const { outboxes } = published(neverWritten, LATER_MS);
    const removed = outboxes.removed('con_1', OWNER);
    outboxes.onWritten({ ...document(2, ['one']), _deleted: true });
    expect(await removed).toMatchObject({ _deleted: true, _outbox: [] });
  });

  it('published events of a document that another process has taken over are left to it', async () => {
    const { outboxes } = published(neverWritten);
    expect(outboxes.leftIn(document(2, ['one'], 'relay_2'))).toBeUndefined();
    expect(await outboxes.removed('con_1', OWNER)).toBeNull();
    expect(await outboxes.removed('con_1', 'relay_2')).toBe('kept');
  });

  it('published events that cannot be removed are an error', async () => {
    const { outboxes } = published(() => Promise.reject(new Error('no connection')));
    await expect(outboxes.removed('con_1', OWNER)).rejects.toThrow('no connection');
  });

  it('published events are removed at once when the process stops', async () => {
    const { outboxes, removals } = published(async (all) => all.onWritten(document(2, [], null)), LATER_MS);
    const removed = outboxes.removed('con_1', OWNER);
    outboxes.removeAtOnce();
    expect(await removed).toBeNull();
    expect(removals()).toBe(1);
  });

  it('published events under a new lease do not wait for those of the one before', async () => {
    const { outboxes } = published(neverWritten, LATER_MS);
    const removed = outboxes.removed('con_1', OWNER);
    outboxes.begin(document(5, ['five'], 'relay_3'), 'relay_3');
    expect(await removed).toBeNull();
  });
});
