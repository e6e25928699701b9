import type { DocumentFilter } from '@parley/aggregates';
import type { ContactCopies } from '../contacts/contact-copy-store.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import { GRAM_LENGTHS, type Thread, threadMark, type ThreadSummary } from '../projection/thread.ts';

export interface ThreadQuery {
  /** A business number's id, or `ALL_NUMBERS`. */
  readonly scope: string;
  readonly withMessages: boolean;
  readonly unseen: boolean;
  readonly text: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly state?: 'open' | 'done' | undefined;
}

/** The end of a page of threads. */
export interface ThreadPosition {
  readonly at: number;
  readonly phone: string;
}

export const QUERY_LENGTH_MAX = 128;
/** A query resolves at most this many contacts. */
export const CONTACT_CANDIDATES_MAX = 100;

/** So many numbers that contain the digits are collected; when there are more, they are looked for among the newest threads. */
export const NUMBER_MATCHES_MAX = 200;

/** The thread with the summary of the query. */
export interface ListedThread {
  readonly thread: Pick<Thread, 'phone' | 'businessNumberIds' | 'callNumberIds' | 'lastStoredAt' | 'handling'>;
  readonly summary: ThreadSummary;
}

/** The thread as a list shows it; undefined when there is nothing in it to show. */
export function listedThread(thread: Thread, withMessages: boolean): ListedThread | undefined {
  const summary = withMessages ? thread.withMessages : thread.withoutMessages;
  return summary ? { thread, summary } : undefined;
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
  const { limit, after } = page;

  async function list(matching: DocumentFilter<Thread>): Promise<ListedThread[]> {
    const filter: DocumentFilter<Thread> = {
      scope: query.scope,
      ...(query.unseen && { [`${summaryName}.unseen`]: true }),
      [activity]: after ? { $lte: after.at } : { $gt: 0 },
      $and: [
        matching,
        ...(after ? [{ $or: [{ [activity]: { $lt: after.at } }, { phone: { $lt: after.phone } }] }] : []),
      ],
    };
    const newestFirst = { [activity]: -1, phone: -1 } as const;
    const found = await deps.store.listThreads(companyId, filter, newestFirst, limit);
    return found.flatMap((thread) => {
      const summary = thread[summaryName];
      return summary ? [{ thread, summary }] : [];
    });
  }

  const alternatives = query.text === undefined ? [{}] : await matchesOf(deps, companyId, query.scope, query.text);
  const marks = threadMark(query.assigneeId, query.state);
  const lists = await Promise.all(alternatives.map((matching) => list({ ...matching, ...(marks && { marks }) })));
  const threads = new Map(lists.flat().map((listed) => [listed.thread.phone, listed]));
  return [...threads.values()].toSorted(newerFirst).slice(0, limit);
}

function newerFirst(one: ListedThread, other: ListedThread): number {
  const later = other.summary.lastActivityAt - one.summary.lastActivityAt;
  return later !== 0 ? later : one.thread.phone < other.thread.phone ? 1 : -1;
}

/**
 * The conditions on threads that a query means, of which a thread has to fulfil one: each by itself is answered in the
 * order of activity by an index.
 */
async function matchesOf(
  { store, contacts }: { readonly store: InboxStore; readonly contacts: ContactCopies },
  companyId: string,
  scope: string,
  text: string,
): Promise<DocumentFilter<Thread>[]> {
  const phones = await contacts.search(companyId, text, CONTACT_CANDIDATES_MAX);
  const digits = phoneDigitsOf(text);
  let among: DocumentFilter<Thread> | undefined;
  if (digits !== undefined) {
    const gram = digits.slice(0, Math.max(...GRAM_LENGTHS));
    const hasDigits: DocumentFilter<Thread> = { phoneSuffixes: new RegExp(`^${digits}`) };
    among = GRAM_LENGTHS.includes(gram.length) ? { phoneGrams: gram } : hasDigits;
    if (gram !== digits) {
      const own = store.threads.of(companyId);
      const limit = NUMBER_MATCHES_MAX + 1;
      const found = await own.findFields(['phone'], { scope, ...hasDigits }, {}, limit, 'phone_suffix');
      const numbers = found.map(({ phone }) => phone);
      if (numbers.length <= NUMBER_MATCHES_MAX) {
        phones.push(...numbers);
        among = undefined;
      } else among = { ...among, ...hasDigits };
    }
  }
  return [...(among ? [among] : []), ...(phones.length > 0 ? [{ phone: { $in: [...new Set(phones)] } }] : [])];
}

/** The digits of a query that can only be meant as part of a phone number; undefined for any other. */
function phoneDigitsOf(query: string): string | undefined {
  if (!/^[+\d\s().-]+$/.test(query)) return undefined;
  const digits = query.replaceAll(/\D/g, '');
  return digits === '' ? undefined : digits;
}
