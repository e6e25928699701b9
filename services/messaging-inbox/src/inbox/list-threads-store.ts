import type { DocumentFilter } from '@parley/store';
import type { ContactCopies } from '../contacts/contact-copy-store.ts';
import type { InboxStore } from './inbox-store.ts';
import type { Thread, ThreadSummary } from './thread.ts';
import { CONTACT_CANDIDATES_MAX, phoneDigitsOf, type ThreadPosition, type ThreadQuery } from './thread-query.ts';

/** Numbers that contain the digits are collected up to here; beyond, they are so many that the newest threads have them. */
const NUMBER_MATCHES_MAX = 1000;

/** The thread with the summary that the query asks for. */
export interface ListedThread {
  readonly thread: Thread;
  readonly summary: ThreadSummary;
}

/** Threads of a company, newest activity first, after `after`. */
export async function listThreads(
  deps: { readonly store: InboxStore; readonly contacts: ContactCopies },
  companyId: string,
  query: ThreadQuery,
  page: { readonly limit: number; readonly after: ThreadPosition | undefined },
): Promise<ListedThread[]> {
  const summaryName = query.withMessages ? 'withMessages' : 'withoutMessages';
  const activity = `${summaryName}.lastActivityAt` as const;
  const matching = query.text === undefined ? {} : await matchesOf(deps, companyId, query.scope, query.text);
  if (!matching) return [];
  const { after } = page;
  const filter: DocumentFilter<Thread> = {
    scope: query.scope,
    ...(query.unseen && { [`${summaryName}.unseen`]: true }),
    [activity]: after ? { $lte: after.at } : { $gt: 0 },
    $and: [matching, ...(after ? [{ $or: [{ [activity]: { $lt: after.at } }, { phone: { $lt: after.phone } }] }] : [])],
  };
  const found: ListedThread[] = [];
  const newestFirst = { [activity]: -1, phone: -1 } as const;
  for await (const thread of deps.store.threads.of(companyId).find(filter, newestFirst, page.limit)) {
    const summary = thread[summaryName];
    if (summary) found.push({ thread, summary });
  }
  return found;
}

/** The condition on threads that a query means; undefined when nothing can match. */
async function matchesOf(
  { store, contacts }: { readonly store: InboxStore; readonly contacts: ContactCopies },
  companyId: string,
  scope: string,
  text: string,
): Promise<DocumentFilter<Thread> | undefined> {
  const phones = await contacts.search(companyId, text, CONTACT_CANDIDATES_MAX);
  const digits = phoneDigitsOf(text);
  if (digits !== undefined) {
    const hasDigits: DocumentFilter<Thread> = { phoneSuffixes: new RegExp(`^${digits}`) };
    const numbers: string[] = [];
    const own = store.threads.of(companyId).find({ scope, ...hasDigits }, { phoneSuffixes: 1 }, NUMBER_MATCHES_MAX + 1);
    for await (const { phone } of own) numbers.push(phone);
    if (numbers.length > NUMBER_MATCHES_MAX) return { $or: [hasDigits, { phone: { $in: phones } }] };
    phones.push(...numbers);
  }
  return phones.length === 0 ? undefined : { phone: { $in: [...new Set(phones)] } };
}
