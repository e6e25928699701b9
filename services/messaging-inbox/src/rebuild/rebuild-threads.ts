import { decided } from '@parley/errors';
import { pauseForRequests } from '@parley/queues';
import { ALL_NUMBERS, type InboxItem, viewName } from '../projection/inbox-item.ts';
import { type InboxStore, NEWEST_ITEM_FIRST } from '../projection/inbox-store.ts';
import { type ItemsOfPerson, itemsOfPerson } from '../projection/items-of-person.ts';
import type { InboxProjection } from '../projection/projection-store.ts';
import { isUsed, type Thread, threadId } from '../projection/thread.ts';
import { PAGE, pages } from './pages.ts';

/** The fields of the thread of a business number that are needed. */
const numberThreadFields = [
  'phone',
  'scope',
  'withMessages',
  'withoutMessages',
  'claims',
] as const satisfies readonly (keyof Thread)[];

type NumberThread = Pick<Thread, 'id' | (typeof numberThreadFields)[number]>;

/** People whose threads are summarised at a time: reads and writes of several are one command. */
const PARALLEL = 50;

/** The last step of a rebuild: removes items that nothing has touched since it began, and makes all threads from the others. */
export async function rebuildThreads(
  { store, projection }: { readonly store: InboxStore; readonly projection: InboxProjection },
  companyId: string,
  since: Date,
  signal: AbortSignal,
): Promise<{ threads: number; removedItems: number }> {
  const own = store.threads.of(companyId);
  const ownItems = store.items.of(companyId);
  const everything = viewName(ALL_NUMBERS, true);
  let threads = 0;
  let removedItems = 0;

  async function summarize(phones: readonly string[]): Promise<void> {
    for (let from = 0; from < phones.length; from += PARALLEL) {
      signal.throwIfAborted();
      const some = phones.slice(from, from + PARALLEL);
      await Promise.all(
        some.map((phone) => projection.summarizeAll(companyId, phone, (claimed) => read(phone, claimed))),
      );
      await pauseForRequests();
    }
  }

  /** Every item with a number once what is wrong about them is repaired. */
  async function read(phone: string, claimed: ReadonlySet<string>): Promise<ItemsOfPerson> {
    for (const repaired = new Set<string>(); ;) {
      const items = itemsOfPerson(claimed);
      const orphans = new Set<string>();
      const hiddenCalls = new Set<string>();
      const voicemailCalls = new Set<string>();
      for await (const page of itemPages(phone)) {
        for (const item of page) {
          if (item.appliedAt < since) orphans.add(item.id);
          if (item.replacedAt !== null) hiddenCalls.add(item.id);
          if (item.content.type === 'voicemail') voicemailCalls.add(item.content.callId);
          items.add(item);
        }
      }
      const wrong = [...orphans, ...hiddenCalls.difference(voicemailCalls)].filter((id) => !repaired.has(id));
      if (wrong.length === 0) return items.result();
      for (const id of wrong) {
        repaired.add(id);
        if (orphans.has(id)) await removeOrphan(id);
        else await projection.relinkCall(companyId, id);
      }
    }
  }

  async function removeOrphan(id: string): Promise<void> {
    const removed = await ownItems.changeIfExists(id, (item) => decided(item.appliedAt < since ? null : item));
    if (removed === null) removedItems += 1;
  }

  function itemPages(phone: string): AsyncIterable<InboxItem[]> {
    const after = ({ createdAt, id }: InboxItem) => ({
      createdAt: { $lte: createdAt },
      $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }],
    });
    const ofThread = { phone, views: everything };
    return pages<InboxItem>((last) =>
      ownItems.find({ ...ofThread, ...(last && after(last)) }, NEWEST_ITEM_FIRST, PAGE),
    );
  }

  /** Numbers between two others that have items and no thread. */
  async function* withoutThread(known: readonly string[], between: { $gt: string; $lt?: string }) {
    for (const found = new Set(known); ;) {
      const filter = { phone: { ...between, $nin: [...found] }, views: everything };
      const some = await ownItems.findFields(['phone'], filter, { phone: 1 }, PAGE);
      const phones = [...new Set(some.map(({ phone }) => phone))];
      if (phones.length === 0) return;
      yield phones;
      for (const phone of phones) found.add(phone);
    }
  }

  /** The threads of single business numbers. */
  async function* numberThreads(): AsyncIterable<NumberThread[]> {
    const scopeAfter = async (scope: string) => {
      const filter = { scope: { $gt: scope, $ne: ALL_NUMBERS } };
      return (await own.findFields(['scope'], filter, { scope: 1, phone: 1 }, 1))[0]?.scope;
    };
    for (let scope = await scopeAfter(''); scope !== undefined; scope = await scopeAfter(scope)) {
      const ofScope = { scope };
      yield* pages<NumberThread>((previous) => {
        const filter = { ...ofScope, ...(previous && { phone: { $gt: previous.phone } }) };
        return own.findFields(numberThreadFields, filter, { scope: 1, phone: 1 }, PAGE);
      });
    }
  }

  /** The business numbers that have a thread with a number, which were all summarised. */
  async function listedNumbers(phones: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const ids = [...new Set(phones)].map((phone) => threadId(companyId, ALL_NUMBERS, phone));
    const found = await own.findFields(['phone', 'businessNumberIds'], { id: { $in: ids } }, { id: 1 }, ids.length);
    return new Map(found.map(({ phone, businessNumberIds }) => [phone, businessNumberIds]));
  }

  let last = '';
  for (let isOver = false; !isOver;) {
    const filter = { scope: ALL_NUMBERS, phone: { $gt: last } };
    const page = (await own.findFields(['phone'], filter, { scope: 1, phone: 1 }, PAGE)).map(({ phone }) => phone);
    isOver = page.length < PAGE;
    threads += page.length;
    await summarize(page);
    const between = { $gt: last, ...(!isOver && { $lt: page.at(-1)! }) };
    for await (const phones of withoutThread(page, between)) {
      threads += phones.length;
      await summarize(phones);
    }
    last = page.at(-1) ?? last;
  }

  for await (const page of numberThreads()) {
    signal.throwIfAborted();
    threads += page.length;
    const listed = await listedNumbers(page.map(({ phone }) => phone));
    for (const thread of page) {
      const { id, phone, scope } = thread;
      if (!listed.get(phone)?.includes(scope)) await projection.refresh(companyId, phone, [scope], {});
      // No list shows them. Those of all numbers are removed by the retention of texts.
      if (!isUsed(thread)) await own.changeIfExists(id, (current) => decided(isUsed(current) ? current : null));
    }
    await pauseForRequests();
  }
  return { threads, removedItems };
}
