import { openDocuments } from '@parley/aggregates';
import { decided } from '@parley/errors';
import { batch, batching, nextTurnIfDue, pauseForRequests } from '@parley/queues';
import type { SearchWordKeys } from '@parley/text';
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

/** The place of a text in the results, at which a page may end. */
export interface SearchPosition {
  readonly at: number;
  readonly id: string;
}

/** The texts of a page, newest first, and where the next one begins; undefined when nothing is left. */
export interface FoundTexts {
  readonly texts: readonly SearchPosition[];
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

/** Entries of long texts have a thousand words each, which are decoded in one step. */
const READ_AT_ONCE = 50;

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
  const entryOf = async (message: Message): Promise<SearchEntry> => ({
    id: message.id,
    companyId: message.companyId,
    businessNumberId: message.businessNumberId,
    phone: message.externalNumber,
    createdAt: message.createdAtMicros,
    words: (await wordsOfText(messages.textOf(message))).map((word) => wordKeys.stored(message.companyId, word)),
  });
  const addEntry = batch((some: readonly SearchEntry[]) => entries.bulk.createMissing(some), batching.searchEntries);
  return {
    async add(message) {
      await addEntry(await entryOf(message));
    },
    async addAll(companyId, signal) {
      for await (const chunk of messages.of(companyId).findInChunks({}, OLDEST_FIRST)) {
        signal.throwIfAborted();
        const added: SearchEntry[] = [];
        for (const message of chunk) added.push(await entryOf(message));
        await entries.bulk.createMissing(added);
        await pauseForRequests();
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
      const forms = words.map((word) => wordKeys.storedForms(companyId, word));
      // The longest word is usually the rarest. The texts of one person are few enough to be read completely.
      const longest = words.reduce((most, word, at) => (word.length > (words[most]?.length ?? 0) ? at : most), 0);
      const own = entries.of(companyId);
      const texts: SearchPosition[] = [];
      let position = after;
      for (let left = examinedMax; left > 0; left -= READ_AT_ONCE) {
        const count = Math.min(left, READ_AT_ONCE);
        const read = await own.findFields(
          ['words', 'createdAt', 'businessNumberId'],
          {
            ...(phone === undefined ? { words: { $in: forms[longest]! } } : { phone }),
            ...(businessNumberId !== undefined && { businessNumberId }),
            ...(position && {
              createdAt: { $lte: position.at },
              $or: [{ createdAt: { $lt: position.at } }, { id: { $lt: position.id } }],
            }),
          },
          NEWEST_FIRST,
          count,
        );
        for (const { id, createdAt, words: stored } of read) {
          position = { at: createdAt, id };
          if (!forms.every((forms) => forms.some((form) => stored.includes(form)))) continue;
          // Another one follows.
          if (texts.length === limit) return { texts, next: texts.at(-1) };
          texts.push(position);
        }
        if (read.length < count) return { texts, next: undefined };
        const turn = nextTurnIfDue();
        if (turn) await turn;
      }
      return { texts, next: position };
    },
  };
}
