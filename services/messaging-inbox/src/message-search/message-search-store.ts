import { decided } from '@parley/errors';
import { coalesce } from '@parley/queues';
import type { SearchWordKeys } from '@parley/search-terms';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Message } from '../messages/message.ts';
import { type Messages, OLDEST_FIRST } from '../messages/message-store.ts';
import { wordsOfText } from './text-words.ts';

/** The search entry of a text. Its id is the text's. */
interface SearchEntry {
  readonly id: string;
  readonly companyId: string;
  readonly businessNumberId: string;
  /** The external number. */
  readonly phone: string;
  readonly createdAt: number;
  /** The hashed words of `SearchWordKeys`. */
  readonly words: readonly string[];
}

export interface SearchQuery {
  /** At least one. */
  readonly words: readonly string[];
  readonly businessNumberId: string | undefined;
  readonly phone: string | undefined;
}

/** The end of a page. */
export interface SearchPosition {
  readonly at: number;
  readonly id: string;
}

/** The texts of a page, newest first, and where the next one begins; undefined when nothing is left. */
export interface FoundTexts {
  readonly ids: readonly string[];
  readonly next: SearchPosition | undefined;
}

/** Finds texts by their words, without containing them. */
export interface MessageSearch {
  add(message: Message): Promise<void>;
  /** Adds what is missing of a company. */
  addAll(companyId: string, signal: AbortSignal): Promise<void>;
  /** Those of a person until a time; at most `limit`. How many were removed. */
  removeOf(companyId: string, phone: string, until: number, limit: number): Promise<number>;
  /** Removes a text with its search entry, which goes first: until then a repetition finds the text. */
  removeMessage(companyId: string, id: string): Promise<void>;
  find(
    companyId: string,
    query: SearchQuery,
    page: { readonly limit: number; readonly after: SearchPosition | undefined },
  ): Promise<FoundTexts>;
}

/** Entries that one search looks at: frequent words that few texts have together make short pages, not slow ones. */
const EXAMINED_MAX = 1000;

/** Nobody waits for an entry: while texts are frequent, many are stored at once. */
const BATCH_WAIT_MS = 100;

const NEWEST_FIRST = { createdAt: -1, id: -1 } as const;

export async function openMessageSearch(options: {
  db: Db;
  messages: Messages;
  wordKeys: SearchWordKeys;
  examinedMax?: number;
}): Promise<MessageSearch> {
  const { db, messages, wordKeys, examinedMax = EXAMINED_MAX } = options;
  const entries = await openDocuments<SearchEntry>({
    db,
    collection: 'message_search',
    indexes: [
      { name: 'word', key: { companyId: 1, words: 1, createdAt: -1, _id: -1 } },
      { name: 'word_of_number', key: { companyId: 1, words: 1, businessNumberId: 1, createdAt: -1, _id: -1 } },
      { name: 'person', key: { companyId: 1, phone: 1, createdAt: -1, _id: -1 } },
    ],
  });
  const entryOf = (message: Message): SearchEntry => ({
    id: message.id,
    companyId: message.companyId,
    businessNumberId: message.businessNumberId,
    phone: message.externalNumber,
    createdAt: message.createdAtMicros,
    words: wordsOfText(messages.textOf(message)).map((word) => wordKeys.stored(message.companyId, word)),
  });
  const addEntry = coalesce((some: readonly SearchEntry[]) => entries.bulk.createMissing(some), {
    batchWaitMs: BATCH_WAIT_MS,
  });
  return {
    async add(message) {
      await addEntry(entryOf(message));
    },
    async addAll(companyId, signal) {
      for await (const chunk of messages.of(companyId).findInChunks({}, OLDEST_FIRST)) {
        signal.throwIfAborted();
        await entries.bulk.createMissing(chunk.map(entryOf));
      }
    },
    async removeOf(companyId, phone, until, limit) {
      const own = entries.of(companyId);
      const found = await own.findFields(['id'], { phone, createdAt: { $lte: until } }, NEWEST_FIRST, limit);
      for (const { id } of found) await own.changeIfExists(id, () => decided(null));
      return found.length;
    },
    async removeMessage(companyId, id) {
      await entries.of(companyId).changeIfExists(id, () => decided(null));
      await messages.of(companyId).changeIfExists(id, () => decided(null));
    },
    async find(companyId, { words, businessNumberId, phone }, { limit, after }) {
      const sought = words.map((word) => wordKeys.sought(companyId, word));
      // The longest word is usually the rarest. The texts of one person are few enough to be read completely.
      const longest = words.reduce((most, word, at) => (word.length > (words[most]?.length ?? 0) ? at : most), 0);
      const examined = await entries.of(companyId).findFields(
        ['words', 'createdAt', 'businessNumberId'],
        {
          ...(phone === undefined ? { words: { $in: sought[longest]! } } : { phone }),
          ...(businessNumberId !== undefined && { businessNumberId }),
          ...(after && {
            createdAt: { $lte: after.at },
            $or: [{ createdAt: { $lt: after.at } }, { id: { $lt: after.id } }],
          }),
        },
        NEWEST_FIRST,
        examinedMax,
      );
      const matching = examined.filter((entry) =>
        sought.every((forms) => forms.some((form) => entry.words.includes(form))),
      );
      const page = matching.slice(0, limit);
      const last =
        matching.length > limit ? page.at(-1) : examined.length === examinedMax ? examined.at(-1) : undefined;
      return { ids: page.map(({ id }) => id), next: last && { at: last.createdAt, id: last.id } };
    },
  };
}
