import { insertEntities } from '@parley/testkit';
import type { Db } from 'mongodb';
import { applyContact } from '../src/contacts/contact-copy.ts';
import { ALL_NUMBERS, type InboxItem } from '../src/projection/inbox-item.ts';
import { newThread, phoneParts, type Thread } from '../src/projection/thread.ts';

export interface InboxSize {
  readonly threads: number;
  readonly itemsPerThread: number;
  /** Items of the thread of `phoneOf(0)`, besides. */
  readonly busyItems: number;
}

export const COMPANY = 'com_1';
export const phoneOf = (thread: number) => `+45${20_000_000 + thread * 7}`;
/** When the `n`th thread was active last, and when the `n`th item of the busy thread was created. */
export const timeOf = (n: number) => 1_000_000 + n;
export const itemId = (n: number) => `cal_${String(n).padStart(8, '0')}`;

const BATCH = 2000;
const aCall = {
  type: 'call' as const,
  state: 'ended' as const,
  missed: true,
  summary: null,
  employee: null,
  hasTranscription: false,
};
/** Every third is unseen. */
const isUnseen = (n: number) => n % 3 === 0;

/** Puts threads and items straight into the database, as the projection would store them. */
export async function fillInbox(db: Db, { threads, itemsPerThread, busyItems }: InboxSize): Promise<void> {
  await insert(db, 'inbox_threads', 2 * threads, (n) => aThread(n >> 1, n % 2 ? 'num_1' : ALL_NUMBERS));
  await insert(db, 'inbox_items', busyItems, (n) => anItem(itemId(n), phoneOf(0), n));
  await insert(db, 'inbox_items', threads * itemsPerThread, (n) =>
    anItem(`cal_other_${n}`, phoneOf(1 + (n % threads)), n),
  );
}

/** Consists of letters, because digits would be found by a search for a part of a number. */
export const familyName = (family: number) =>
  `Family${family.toString(26).padStart(4, '0').replaceAll(/\d/g, letterOf)}`;
const letterOf = (digit: string) => String.fromCharCode('q'.charCodeAt(0) + Number(digit));

/** Gives every thread a contact; `familySize` of them share a name. */
export async function fillContacts(db: Db, count: number, familySize: number): Promise<void> {
  await insert(db, 'contacts', count, (n) =>
    applyContact(undefined, {
      id: `con_${n}`,
      companyId: COMPANY,
      phone: phoneOf(n),
      phoneFormatted: phoneOf(n),
      name: `Ane ${familyName(Math.floor(n / familySize))}`,
      email: null,
      companyName: null,
      note: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      revision: 1,
    }),
  );
}

async function insert(db: Db, collection: string, count: number, make: (n: number) => { readonly id: string }) {
  for (let from = 0; from < count; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => make(from + index));
    await insertEntities(db, collection, some);
  }
}

function aThread(n: number, scope: string): Thread {
  const latestItem = { id: itemId(n), businessNumberId: 'num_1', direction: 'inbound' as const, content: aCall };
  const summary = { lastActivityAt: timeOf(n), latestItem, unseenCount: isUnseen(n) ? 1 : 0, unseen: isUnseen(n) };
  const phone = phoneOf(n);
  return {
    ...newThread(COMPANY, scope, phone),
    ...phoneParts(phone),
    withMessages: summary,
    withoutMessages: summary,
  };
}

function anItem(id: string, phone: string, n: number): InboxItem {
  const views = ['all', 'all/calls', 'num_1', 'num_1/calls'];
  return {
    id,
    companyId: COMPANY,
    phone,
    businessNumberId: 'num_1',
    direction: 'inbound',
    from: phone,
    to: '+4570112233',
    createdAt: timeOf(n),
    durationSecs: null,
    content: aCall,
    seenAt: isUnseen(n) ? null : 5,
    sequence: 1,
    storedAt: timeOf(n),
    replacedAt: null,
    appliedAt: new Date(0),
    views,
    unseenViews: isUnseen(n) ? views : [],
  };
}
