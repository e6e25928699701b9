import { nextTurnIfDue } from '@parley/queues';
import type { SearchWordKeys } from '@parley/text';
import type { Messages } from '../messages/message-store.ts';

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

/** Finds texts by their words, of which the database has only hashes. */
export type FindMessages = (
  companyId: string,
  query: SearchQuery,
  page: { readonly limit: number; readonly after: SearchPosition | undefined },
) => Promise<FoundTexts>;

/** Texts that one search looks at: frequent words that few texts have together make short pages, not slow ones. */
const EXAMINED_MAX = 1000;

/** Long texts have a thousand words each, which are decoded in one step. */
const READ_AT_ONCE = 50;

const NEWEST_FIRST = { createdAtMicros: -1, id: -1 } as const;

export function messageFinder(options: {
  messages: Pick<Messages, 'of'>;
  wordKeys: SearchWordKeys;
  examinedMax?: number;
}): FindMessages {
  const { messages, wordKeys, examinedMax = EXAMINED_MAX } = options;
  return async (companyId, { words, businessNumberId, phone }, { limit, after }) => {
    const forms = words.map((word) => wordKeys.sought(companyId, word));
    // The longest word is usually the rarest. The texts of one person are few enough to be read completely.
    const longest = words.reduce((most, word, at) => (word.length > (words[most]?.length ?? 0) ? at : most), 0);
    const own = messages.of(companyId);
    const index = phone !== undefined ? 'person' : businessNumberId === undefined ? 'word' : 'word_of_number';
    const texts: SearchPosition[] = [];
    let position = after;
    for (let left = examinedMax; left > 0; left -= READ_AT_ONCE) {
      const count = Math.min(left, READ_AT_ONCE);
      const read = await own.findFields(
        ['words', 'createdAtMicros'],
        {
          ...(phone === undefined ? { words: { $in: forms[longest]! } } : { externalNumber: phone }),
          ...(businessNumberId !== undefined && { businessNumberId }),
          ...(position && {
            createdAtMicros: { $lte: position.at },
            $or: [{ createdAtMicros: { $lt: position.at } }, { id: { $lt: position.id } }],
          }),
        },
        NEWEST_FIRST,
        count,
        index,
      );
      for (const { id, createdAtMicros, words: stored } of read) {
        position = { at: createdAtMicros, id };
        if (!forms.every((ofWord) => ofWord.some((form) => stored.includes(form)))) continue;
        // Another one follows.
        if (texts.length === limit) return { texts, next: texts.at(-1) };
        texts.push(position);
      }
      if (read.length < count) return { texts, next: undefined };
      const turn = nextTurnIfDue();
      if (turn) await turn;
    }
    return { texts, next: position };
  };
}
