import { decided } from '@parley/errors';
import { openDocuments } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Binary, Db } from 'mongodb';
import type { Call } from '../calls/call.ts';
import { type ListFilter, listKey } from '../calls/derived-fields.ts';
import type { Speech } from '../transcripts/speech-client.ts';
import type { Transcript } from '../transcripts/transcript.ts';
import { fuseRankings, rankByWords } from './rank.ts';
import { chunksOf, wordsOf } from './search-terms.ts';
import { bucketsOf, similarity, packVector } from './vectors.ts';

/** What a call is found by. Its id is the call's. */
interface SearchEntry {
  readonly id: string;
  readonly companyId: string;
  readonly startedAt: Date;
  readonly listKeys: readonly string[];
  readonly words: readonly string[];
  readonly model: string;
  /** One per piece of the transcript. */
  readonly vectors: readonly (Uint8Array | Binary)[];
  readonly buckets: readonly string[];
}

/** Finds calls by words and meaning. */
export interface SearchIndex {
  /** Adds a transcribed call, with what was known of its caller. */
  add(call: Call, transcript: Transcript): Promise<void>;
  /** Ids of calls, most relevant first. */
  find(companyId: string, query: string, filter: SearchFilter, limit: number): Promise<string[]>;
}

/** Which calls are searched; times are of the start, both inclusive. */
interface SearchFilter extends ListFilter {
  readonly startedAfter?: Date;
  readonly startedBefore?: Date;
}

const QUERY_WORDS_MAX = 8;
/** Calls looked at for each word, the newest. */
const WORD_MATCHES_MAX = 200;
/** A company with fewer calls is compared with completely. */
const COMPARED_MAX = 500;
/** Less alike than this is not about the same thing. */
const LIKENESS_MIN = 0.25;
const MEANING_MATCHES_MAX = 50;
const NEWEST_FIRST = { startedAt: -1 } as const;

export async function openSearch(options: {
  db: Db;
  speech: Speech;
  /** What is known of a caller, as text. */
  callerText: (companyId: string, phone: string) => Promise<string>;
  log: Logger;
}): Promise<SearchIndex> {
  const { db, speech, callerText, log } = options;
  const entries = await openDocuments<SearchEntry>({
    db,
    collection: 'call_search',
    indexes: [
      { name: 'words', key: { companyId: 1, words: 1, startedAt: -1 } },
      { name: 'buckets', key: { companyId: 1, buckets: 1, startedAt: -1 } },
      { name: 'newest', key: { companyId: 1, startedAt: -1 } },
    ],
  });

  async function byWords(companyId: string, query: string, { key, times }: Scope): Promise<string[]> {
    const own = entries.of(companyId);
    const matches = new Map<string, string[]>();
    for (const word of wordsOf(query).slice(0, QUERY_WORDS_MAX)) {
      const found: string[] = [];
      for await (const { id, listKeys } of own.find({ words: word, ...times }, NEWEST_FIRST, WORD_MATCHES_MAX))
        if (listKeys.includes(key)) found.push(id);
      if (found.length > 0) matches.set(word, found);
    }
    return rankByWords(matches, await own.count(WORD_MATCHES_MAX));
  }

  async function byMeaning(companyId: string, query: string, { key, times }: Scope): Promise<string[]> {
    const own = entries.of(companyId);
    const { vectors, model } = await speech.embed([query], companyId, true);
    const [wanted] = vectors;
    if (!wanted) return [];
    const isSmall = (await own.count(COMPARED_MAX + 1)) <= COMPARED_MAX;
    const filter = isSmall ? {} : { buckets: { $in: bucketsOf(wanted) } };
    const scored: { id: string; score: number }[] = [];
    for await (const entry of own.find({ ...filter, ...times }, NEWEST_FIRST, COMPARED_MAX)) {
      if (entry.model !== model || !entry.listKeys.includes(key)) continue;
      const score = Math.max(...entry.vectors.map((vector) => similarity(bytesOf(vector), wanted)));
      if (score >= LIKENESS_MIN) scored.push({ id: entry.id, score });
    }
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, MEANING_MATCHES_MAX)
      .map(({ id }) => id);
  }

  return {
    async add(call, transcript) {
      const { companyId, id, startedAt, listKeys } = call;
      const known = await callerText(companyId, call.remoteNumber);
      const said = transcript.segments.map(({ text }) => text).join(' ');
      const chunks = chunksOf([said, known].filter((text) => text !== '').join('\n'));
      const { vectors, model } =
        chunks.length === 0 ? { vectors: [], model: '' } : await speech.embed(chunks, companyId, false);
      const entry: SearchEntry = {
        id,
        companyId,
        startedAt,
        listKeys,
        words: wordsOf(`${said} ${known}`),
        model,
        vectors: vectors.map(packVector),
        buckets: [...new Set(vectors.flatMap(bucketsOf))],
      };
      await entries.of(companyId).upsert(id, () => decided(entry));
    },
    async find(companyId, query, filter, limit) {
      const scope = scopeOf(filter);
      const [words, meaning] = await Promise.all([
        byWords(companyId, query, scope),
        // Words alone are found also while the speech service is away.
        byMeaning(companyId, query, scope).catch((error: unknown): string[] => {
          log.warn({ err: error }, 'calls not searched by meaning');
          return [];
        }),
      ]);
      return fuseRankings([words, meaning]).slice(0, limit);
    },
  };
}

/** A filter as queries need it. */
interface Scope {
  readonly key: string;
  readonly times: { readonly startedAt?: { readonly $gte?: Date; readonly $lte?: Date } };
}

function scopeOf({ startedAfter, startedBefore, ...filter }: SearchFilter): Scope {
  const startedAt = { ...(startedAfter && { $gte: startedAfter }), ...(startedBefore && { $lte: startedBefore }) };
  return { key: listKey(filter), times: startedAfter || startedBefore ? { startedAt } : {} };
}

function bytesOf(vector: Uint8Array | Binary): Uint8Array {
  return vector instanceof Uint8Array ? vector : vector.buffer;
}
