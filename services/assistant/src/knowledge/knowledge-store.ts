import {
  type Aggregates,
  createInFreeSlot,
  type DocumentFilter,
  openAggregates,
  openDocuments,
  slotTaken,
} from '@parley/aggregates';
import { decided, type Decision, refusal } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { cache } from '@parley/queues';
import type { ServiceContext } from '../service-context.ts';
import { addUse, type EntryUses, usesUntil } from './entry-uses.ts';
import { entryTerms, type KnowledgeEntry, type KnowledgeEntryEvent } from './knowledge-entry.ts';

/** What a session needs of an entry. */
export type ActiveEntry = Pick<KnowledgeEntry, (typeof ACTIVE_FIELDS)[number]>;

/** The end of a page: the order of its last entry. */
export interface EntryPosition {
  readonly createdOrder: number;
  readonly id: string;
}

export interface Knowledge extends Aggregates<KnowledgeEntry, KnowledgeEntryEvent> {
  /** Newest first. */
  page(
    companyId: string,
    wanted: {
      readonly query: string;
      readonly businessNumberId: string;
      readonly limit: number;
      readonly after: EntryPosition | undefined;
    },
  ): Promise<readonly KnowledgeEntry[]>;
  /** Stores a new one in a free slot; the cap is exact under any concurrency. Throws `Refused`. */
  create(
    companyId: string,
    decide: (slot: number) => Decision<KnowledgeEntry, KnowledgeEntryEvent>,
  ): Promise<KnowledgeEntry>;
  /**
   * All active entries, oldest first, as they were a second ago at most. An entry that has not changed is the same object as
   * before.
   */
  active(companyId: string): Promise<readonly ActiveEntry[]>;
  /** Entries were answers. */
  noteUses(companyId: string, entryIds: readonly string[]): Promise<void>;
  /** Answers in the last 90 days, by entry. */
  usedCounts(companyId: string, entryIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** With what was counted of it. */
  remove(
    companyId: string,
    id: string,
    decide: (current: KnowledgeEntry) => Decision<null, KnowledgeEntryEvent>,
  ): Promise<void>;
}

export const ENTRIES_MAX = 500;
const NEWEST_FIRST = { createdOrder: -1, id: -1 } as const;
const OLDEST_FIRST = { createdOrder: 1 } as const;
const ACTIVE_FIELDS = [
  'id',
  'title',
  'answer',
  'questions',
  'text',
  'businessNumberIds',
  'validUntil',
  'updatedAt',
] as const;
/** A change counts from the next turn after this. */
const LIST_CACHED_MS = 1000;
const COMPANIES_CACHED = 1000;
/** Of all companies with calls; an entry has a few kilobytes at most. */
const ENTRIES_CACHED = { max: 20_000, ageMaxMs: 600_000 };
/** Words of a query that are looked for. */
const WORDS_MAX = 10;
/** Behind every other one in the order of the database. */
const LAST_CHARACTER = '\u{10FFFF}';

const full = refusal('limit_reached', `a company has at most ${ENTRIES_MAX} knowledge entries`);

export async function openKnowledge({
  db,
  relay,
  clock,
}: Pick<ServiceContext, 'db' | 'relay' | 'clock'>): Promise<Knowledge> {
  const entries = await openAggregates<KnowledgeEntry, KnowledgeEntryEvent>({
    db,
    collection: 'knowledge_entries',
    relay,
    clock,
    // Other processes answer from what they have read until an event drops it.
    announced: true,
    encode: ({ type, entryId }) => encodeMessage(type, { knowledgeEntryId: entryId }),
    // They are most of an entry.
    unlisted: ['searchTerms'],
    indexes: [
      { name: 'company_newest', key: { companyId: 1, createdOrder: -1, _id: -1 } },
      { name: 'company_slot', key: { companyId: 1, slot: 1 }, unique: true },
    ],
    collisions: { company_slot: slotTaken },
  });
  const uses = await openDocuments<EntryUses>({
    db,
    collection: 'knowledge_entry_uses',
    indexes: [{ name: 'company', key: { companyId: 1 } }],
  });
  const find = entries.cachedFinder(ACTIVE_FIELDS, ENTRIES_CACHED);
  const lists = cache<readonly ActiveEntry[]>({ ageMaxMs: LIST_CACHED_MS, max: COMPANIES_CACHED });
  return {
    ...entries,
    page: (companyId, { query, businessNumberId, limit, after }) => {
      const words = entryTerms(query, WORDS_MAX);
      const filter: DocumentFilter<KnowledgeEntry> = {
        $and: [...words.map(havingWord), ...forNumber(businessNumberId), ...behind(after)],
      };
      const anything = words.length === 0 && businessNumberId === '' && !after;
      return Array.fromAsync(entries.of(companyId).find(anything ? {} : filter, NEWEST_FIRST, limit, 'company_newest'));
    },
    create: (companyId, decide) =>
      createInFreeSlot(entries.of(companyId), { among: {}, field: 'slot', max: ENTRIES_MAX, full }, decide),
    active: (companyId) => lists.get(companyId, () => find(companyId, { active: true }, OLDEST_FIRST, ENTRIES_MAX)),
    async noteUses(companyId, entryIds) {
      for (const id of new Set(entryIds))
        await uses.of(companyId).upsert(id, (current) => decided(addUse({ id, companyId }, current, clock.now())));
    },
    async usedCounts(companyId, entryIds) {
      const filter = { id: { $in: [...entryIds] } };
      const found = await Array.fromAsync(uses.of(companyId).find(filter, { id: 1 }, ENTRIES_MAX));
      return new Map(found.map((one) => [one.id, usesUntil(one, clock.now())]));
    },
    async remove(companyId, id, decide) {
      await entries.of(companyId).change(id, decide);
      await uses.of(companyId).changeIfExists(id, () => decided(null));
    },
  };
}

/** The server compares strings much faster than it matches patterns. A company has few entries, so all of them are looked at. */
function havingWord(word: string): DocumentFilter<KnowledgeEntry> {
  const range = { $elemMatch: { $gte: word, $lt: `${word}${LAST_CHARACTER}` } };
  return { searchTerms: range } as unknown as DocumentFilter<KnowledgeEntry>;
}

function forNumber(businessNumberId: string): DocumentFilter<KnowledgeEntry>[] {
  if (businessNumberId === '') return [];
  return [{ $or: [{ businessNumberIds: { $size: 0 } }, { businessNumberIds: businessNumberId }] }];
}

function behind(after: EntryPosition | undefined): DocumentFilter<KnowledgeEntry>[] {
  if (!after) return [];
  const { createdOrder, id } = after;
  return [{ $or: [{ createdOrder: { $lt: createdOrder } }, { createdOrder, id: { $lt: id } }] }];
}
