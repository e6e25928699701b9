import { decided } from '@parley/errors';
import type { EventRemoval } from '@parley/aggregates';
import { type Erase, erasureOf, type ErasureStep, eventSteps, type Person } from '@parley/personal-data';
import { NEWEST_COMMENT_FIRST } from '../comments/comment-store.ts';
import { removePlanned, type ThreadMails, type ThreadPushes } from '../notifications/notification-store.ts';
import { pairId } from '../opt-outs/opt-out.ts';
import { ALL_NUMBERS, viewName } from '../projection/inbox-item.ts';
import { NEWEST_ITEM_FIRST } from '../projection/inbox-store.ts';
import { threadId } from '../projection/thread.ts';
import type { Texting } from '../start-texting.ts';
import type { Notifications } from '../notifications/start-notifications.ts';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import { removeEmptyThreads } from './remove-empty-threads.ts';

export type ErasePersonDeps = Pick<ServiceContext, 'db' | 'erased'> &
  InboxParts &
  Texting &
  Notifications & { readonly removal: EventRemoval };

/** Records that one portion removes. */
const PORTION = 100;

/** Texts, inbox items, threads, comments, planned e-mails and push messages of a person, the copy of the contact, and what is known of the pair of numbers. */
export function erasePerson(deps: ErasePersonDeps): Erase {
  const { db, removal, erased, messages, search, comments, handlings, threadMails, threadPushes } = deps;
  const texts: ErasureStep = { name: 'texts', erase: (person) => eraseTexts(deps, person) };
  const inbox: ErasureStep = { name: 'inbox', erase: (person) => eraseItems(deps, person) };
  // An entry of a text that is removed meanwhile may be stored late.
  const found: ErasureStep = {
    name: 'search_entries',
    erase: async ({ companyId, phoneNumber, before }) => {
      const count = await search.removeOf(companyId, phoneNumber, microsOf(before), PORTION);
      return { removed: 0, next: count < PORTION ? undefined : '' };
    },
  };
  const written: ErasureStep = { name: 'comments', erase: (person) => eraseComments(deps, person) };
  const planned = (name: string, of: ThreadMails | ThreadPushes): ErasureStep => ({
    name,
    erase: async ({ companyId, phoneNumber: phone }) => {
      const count = await removePlanned(of, { companyId, phone }, PORTION);
      return { removed: 0, next: count < PORTION ? undefined : '' };
    },
  });
  const [mails, pushes] = [planned('mails', threadMails), planned('pushes', threadPushes)];
  const contact: ErasureStep = { name: 'contact', erase: (person) => eraseContact(deps, person) };
  const events = eventSteps({
    db,
    removal,
    keeps: async ({ aggregateId }, { companyId }) =>
      (await messages.of(companyId).get(aggregateId)) !== undefined ||
      (await comments.of(companyId).get(aggregateId)) !== undefined ||
      (await handlings.of(companyId).get(aggregateId)) !== undefined,
  });
  // A text that was being stored when the erasure began is found the second time.
  const again = [texts, inbox, written, mails, pushes].map(({ name, erase }) => ({ name: `${name}_again`, erase }));
  return erasureOf([erased.step, texts, inbox, written, mails, pushes, contact, ...events, ...again, found]);
}

async function eraseTexts(deps: ErasePersonDeps, { companyId, phoneNumber, before }: Person) {
  const own = deps.messages.of(companyId);
  const filter = { externalNumber: phoneNumber, createdAtMicros: { $lte: microsOf(before) } };
  const found = await Array.fromAsync(own.find(filter, { createdAtMicros: 1 }, PORTION));
  for (const { id } of found) await deps.search.removeMessage(companyId, id);
  for (const numberId of new Set(found.map(({ businessNumberId }) => businessNumberId)))
    await forgetPair(deps, companyId, pairId(numberId, phoneNumber));
  return { removed: found.length, next: found.length < PORTION ? undefined : '' };
}

async function eraseItems(deps: ErasePersonDeps, person: Person) {
  const { store, projection } = deps;
  const { companyId, phoneNumber: phone, before } = person;
  const own = store.items.of(companyId);
  const filter = { phone, views: viewName(ALL_NUMBERS, true), createdAt: { $lte: microsOf(before) } };
  const found = await Array.fromAsync(own.find(filter, NEWEST_ITEM_FIRST, PORTION));
  if (found.length > 0) {
    const scopes = [...new Set(found.map(({ businessNumberId }) => businessNumberId)), ALL_NUMBERS];
    const change = await projection.expectChange(companyId, phone, scopes);
    for (const { id } of found) await own.changeIfExists(id, () => decided(null));
    await projection.refresh(companyId, phone, scopes, { changes: [change] });
  }
  if (found.length === PORTION) return { removed: found.length, next: '' };
  await eraseEmptyThreads(deps, person);
  return { removed: found.length };
}

/** A thread with new items stays. */
async function eraseEmptyThreads(deps: ErasePersonDeps, { companyId, phoneNumber: phone }: Person): Promise<void> {
  const ofAll = await deps.store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
  for (const numberId of ofAll?.businessNumberIds ?? []) await forgetPair(deps, companyId, pairId(numberId, phone));
  await removeEmptyThreads(deps, companyId, phone);
}

/** Also those of later when the thread is gone: whoever wrote one had the thread in view as it was before. */
async function eraseComments({ comments, store }: ErasePersonDeps, { companyId, phoneNumber: phone, before }: Person) {
  const own = comments.of(companyId);
  const thread = await store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
  const filter = { phone, ...(thread && { createdAt: { $lte: microsOf(before) } }) };
  const found = await Array.fromAsync(own.find(filter, NEWEST_COMMENT_FIRST, PORTION));
  for (const { id } of found) await own.changeIfExists(id, () => decided(null));
  return { removed: found.length, next: found.length < PORTION ? undefined : '' };
}

async function eraseContact({ contacts }: ErasePersonDeps, { companyId, phoneNumber, before }: Person) {
  const found = (await contacts.byPhone(companyId, [phoneNumber])).get(phoneNumber);
  if (!found || found.createdAt > before) return { removed: 0 };
  await contacts.remove(companyId, found.id);
  return { removed: 1 };
}

async function forgetPair(deps: ErasePersonDeps, companyId: string, pair: string): Promise<void> {
  await deps.optOuts.of(companyId).changeIfExists(pair, () => decided(null));
  await deps.cooldowns.of(companyId).changeIfExists(pair, () => decided(null));
  await deps.stopLimits.clear(pair);
}

function microsOf(time: Date): number {
  return time.getTime() * 1000 + 999;
}
