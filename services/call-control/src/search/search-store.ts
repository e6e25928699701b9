import { decided } from '@parley/errors';
import { type DocumentFilter, openDocuments, type PlainDocuments } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Binary, Db } from 'mongodb';
import type { SearchWordKeys } from '@parley/text';
import type { Call, CallDirection } from '../calls/model/call.ts';
import { type ListFilter, listKey } from '../calls/model/derived-fields.ts';
import type { Speech } from '../speech/speech-client.ts';
import type { Transcript } from '../calls/model/transcript.ts';
import { chunksOf, coverageByWords, rankCalls, withoutStopWords, wordsOf } from './search-terms.ts';
import { bucketsOf, packVector, similarity } from './vectors.ts';

/** The search document of a call. Its id is the call's. */
interface SearchEntry {
  readonly id: string;
  readonly companyId: string;
  readonly startedAt: Date;
  readonly numberId: string;
  readonly direction: CallDirection;
  readonly remoteNumber: string;
  readonly listKeys: readonly string[];
  /** The words of the transcript and the caller context, as `SearchWordKeys` stores them. */
  readonly words: readonly string[];
  /** Those of the caller context alone. */
  readonly callerWords: readonly string[];
  readonly model: string;
  /** One per piece of the transcript. */
  readonly vectors: readonly Vector[];
  /** One per piece of the caller context. */
  readonly callerVectors: readonly Vector[];
  readonly buckets: readonly string[];
}

type Vector = Uint8Array | Binary;

/** Finds calls by words and meaning. */
export type SearchIndex = Awaited<ReturnType<typeof openSearch>>;

interface FoundCalls {
  /** Most relevant first. */
  readonly ids: readonly string[];
  /** The model that compared meaning; null when calls were searched for words only. */
  readonly model: string | null;
}

/** Calls by their similarity to a query. */
interface SimilarCalls {
  readonly similarity: ReadonlyMap<string, number>;
  readonly model: string | null;
}

const WORDS_ONLY: SimilarCalls = { similarity: new Map(), model: null };

/** Times are of the start, both inclusive. */
interface SearchFilter extends ListFilter {
  readonly startedAfter?: Date;
  readonly startedBefore?: Date;
  /** Only these calls, which the other filters let through: all of them are ranked. */
  readonly among?: readonly string[];
}

const QUERY_WORDS_MAX = 8;
interface SearchLimits {
  /** Calls that are ranked for each word: the newest that the filter lets through. */
  readonly wordMatches: number;
  /** Calls that are compared by meaning; where the filter lets through no more, all of them. */
  readonly compared: number;
}

const LIMITS: SearchLimits = { wordMatches: 200, compared: 500 };
/** Texts below this similarity are considered unrelated. */
const LIKENESS_MIN = 0.25;
const MEANING_MATCHES_MAX = 50;
/** Calls of one caller that are found by new caller context: the newest. */
const CALLS_OF_CALLER_MAX = 200;
const NEWEST_FIRST = { startedAt: -1 } as const;
const DIRECTIONS: CallDirection[] = ['inbound', 'outbound'];

interface SearchOptions {
  readonly db: Db;
  readonly speech: Pick<Speech, 'embed'>;
  /** The caller context as text. */
  readonly callerText: (companyId: string, phone: string) => Promise<string>;
  readonly wordKeys: SearchWordKeys;
  readonly log: Logger;
  readonly limits?: SearchLimits;
}

// Every filter has its place in an index, so that a search reads no calls that it does not rank.
const searchIndexes = [
  { name: 'words', key: { companyId: 1, words: 1, direction: 1, startedAt: -1 } },
  { name: 'words_of_number', key: { companyId: 1, words: 1, numberId: 1, direction: 1, startedAt: -1 } },
  {
    name: 'words_of_remote',
    key: { companyId: 1, words: 1, remoteNumber: 1, startedAt: -1, direction: 1, numberId: 1 },
  },
  { name: 'buckets', key: { companyId: 1, buckets: 1, direction: 1, startedAt: -1 } },
  { name: 'buckets_of_number', key: { companyId: 1, buckets: 1, numberId: 1, direction: 1, startedAt: -1 } },
  { name: 'list', key: { companyId: 1, listKeys: 1, startedAt: -1 } },
] as const;

export async function openSearch(options: SearchOptions) {
  const { db, speech, callerText, wordKeys, log } = options;
  const entries = await openDocuments<SearchEntry>({
    db,
    collection: 'call_search',
    indexes: searchIndexes.map((index) => ({ ...index })),
  });

  const storedWords = (companyId: string, text: string) =>
    wordsOf(text).map((word) => wordKeys.stored(companyId, word));

  async function embed(companyId: string, chunks: readonly string[]): Promise<{ vectors: number[][]; model: string }> {
    return chunks.length === 0 ? { vectors: [], model: '' } : speech.embed(chunks, companyId, false);
  }

  return {
    /** Adds a transcribed call, with what was known of its caller. */
    async add(call: Call, transcript: Transcript): Promise<void> {
      const { companyId, id, startedAt, number, direction, remoteNumber, listKeys } = call;
      const known = await callerText(companyId, remoteNumber);
      const spoken = searchedText(transcript);
      const chunks = chunksOf(spoken);
      const { vectors, model } = await embed(companyId, [...chunks, ...chunksOf(known)]);
      const entry: SearchEntry = {
        id,
        companyId,
        startedAt,
        numberId: number.id,
        direction,
        remoteNumber,
        listKeys,
        ...wordFields(storedWords(companyId, spoken), storedWords(companyId, known)),
        model,
        vectors: vectors.slice(0, chunks.length).map(packVector),
        callerVectors: vectors.slice(chunks.length).map(packVector),
        buckets: bucketsOfAll(vectors),
      };
      await entries.of(companyId).upsert(id, () => decided(entry));
    },
    /** Removes a call, also when it is not there. */
    async remove(companyId: string, callId: string): Promise<void> {
      await entries.of(companyId).changeIfExists(callId, () => decided(null));
    },
    /** Called when the caller context of a number has changed. */
    async updateCaller(companyId: string, phone: string, known: string): Promise<void> {
      const own = entries.of(companyId);
      const calls = { listKeys: listKey({ remoteNumber: phone }) };
      const ids = await Array.fromAsync(own.find(calls, NEWEST_FIRST, CALLS_OF_CALLER_MAX), ({ id }) => id);
      if (ids.length === 0) return;
      const { vectors, model } = await embed(companyId, chunksOf(known)).catch((error: unknown) => {
        log.warn({ err: error }, 'new caller context is found by its words only');
        return { vectors: [], model: '' };
      });
      for (const id of ids)
        await own.changeIfExists(id, (entry) =>
          decided(withCaller(entry, { words: storedWords(companyId, known), vectors, model })),
        );
    },
    find: finding(entries, options),
  };
}

function finding(entries: PlainDocuments<SearchEntry>, { speech, wordKeys, log, limits = LIMITS }: SearchOptions) {
  const { wordMatches, compared } = limits;

  /** The share of the query's words that each call has. */
  async function byWords(companyId: string, query: string, filter: SearchFilter): Promise<ReadonlyMap<string, number>> {
    const own = entries.of(companyId);
    const words = queryWords(query);
    const matches = await Promise.all(
      words.map((word) => {
        const stored = { words: { $in: wordKeys.storedForms(companyId, word) }, ...termScope(filter) };
        return Array.fromAsync(own.find(stored, NEWEST_FIRST, wordMatches), ({ id }) => id);
      }),
    );
    return coverageByWords(matches, await own.count(compared + 1, { listKeys: listKey(filter) }));
  }

  /** The similarity between the query and the words of each call. */
  async function byMeaning(companyId: string, query: string, filter: SearchFilter): Promise<SimilarCalls> {
    const own = entries.of(companyId);
    const { vectors, model } = await speech.embed([query], companyId, true);
    const [wanted] = vectors;
    if (!wanted) return WORDS_ONLY;
    const listed = { listKeys: listKey(filter) };
    // The newest calls of one remote party are compared, however many there are.
    const comparesAll = filter.remoteNumber !== undefined || (await own.count(compared + 1, listed)) <= compared;
    const scored = new Map<string, number>();
    async function compare(candidates: DocumentFilter<SearchEntry>, limit: number): Promise<void> {
      for await (const entry of own.find(candidates, NEWEST_FIRST, limit))
        scored.set(entry.id, likenessOf(entry, wanted!, model));
    }
    if (comparesAll) await compare({ ...listed, ...startTimes(filter) }, compared);
    else {
      // A query for each bucket reads a range of an index; one for all of them may be planned as a scan.
      const buckets = bucketsOf(wanted);
      const limit = Math.ceil(compared / buckets.length);
      await Promise.all(buckets.map((bucket) => compare({ buckets: bucket, ...termScope(filter) }, limit)));
    }
    return { similarity: mostSimilar(scored), model };
  }

  /** The same of given calls: they are read once, by their ids, and ranked whatever other calls there are. */
  async function findAmong(companyId: string, query: string, ids: readonly string[]) {
    const found = await Array.fromAsync(entries.of(companyId).find({ id: { $in: [...ids] } }, { id: 1 }));
    found.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
    const words = queryWords(query).map((word) => {
      const stored = new Set(wordKeys.storedForms(companyId, word));
      return found.filter((entry) => entry.words.some((one) => stored.has(one))).map(({ id }) => id);
    });
    async function compare(): Promise<SimilarCalls> {
      const { vectors, model } = await speech.embed([query], companyId, true);
      const [wanted] = vectors;
      if (!wanted) return WORDS_ONLY;
      const scored = new Map(found.map((entry) => [entry.id, likenessOf(entry, wanted, model)]));
      return { similarity: mostSimilar(scored), model };
    }
    return [coverageByWords(words, found.length), await unlessAway(compare())] as const;
  }

  /** The search by words also works while the speech service is unavailable. */
  const unlessAway = (meaning: Promise<SimilarCalls>) =>
    meaning.catch((error: unknown): SimilarCalls => {
      log.warn({ err: error }, 'calls not searched by meaning');
      return WORDS_ONLY;
    });

  return async (companyId: string, query: string, filter: SearchFilter, limit: number): Promise<FoundCalls> => {
    const [words, meaning] = filter.among
      ? await findAmong(companyId, query, filter.among)
      : await Promise.all([byWords(companyId, query, filter), unlessAway(byMeaning(companyId, query, filter))]);
    return { ids: rankCalls(words, meaning.similarity).slice(0, limit), model: meaning.model };
  };
}

/** What was said; of a session with an assistant also what became of it, which is kept longer than what was said. */
function searchedText({ segments, parts = [] }: Transcript): string {
  const session = parts.find(({ source }) => source === 'session')?.summary;
  return [...segments.map(({ text }) => text), ...(session ? [session] : [])].join(' ');
}

const queryWords = (query: string) => withoutStopWords(wordsOf(query).slice(0, QUERY_WORDS_MAX));

/** The similarity between the query and the words of a call; 0 where the vectors are from another model. */
function likenessOf(entry: SearchEntry, wanted: readonly number[], model: string): number {
  if (entry.model !== model) return 0;
  const vectors = [...entry.vectors, ...entry.callerVectors];
  return Math.max(0, ...vectors.map((vector) => similarity(bytesOf(vector), wanted)));
}

function mostSimilar(scored: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const related = [...scored].filter(([, score]) => score >= LIKENESS_MIN);
  return new Map(related.sort(([, a], [, b]) => b - a).slice(0, MEANING_MATCHES_MAX));
}

function wordFields(words: readonly string[], ofCaller: readonly string[]): Pick<SearchEntry, 'words' | 'callerWords'> {
  const spokenWords = new Set(words);
  const callerWords = ofCaller.filter((word) => !spokenWords.has(word));
  return { words: [...words, ...callerWords], callerWords };
}

const bucketsOfAll = (vectors: readonly (readonly number[])[]) => [...new Set(vectors.flatMap(bucketsOf))];

/** Vectors of another model than the transcript's cannot be compared with it. */
function withCaller(
  entry: SearchEntry,
  caller: { words: readonly string[]; vectors: readonly number[][]; model: string },
): SearchEntry {
  const callerWords = new Set(entry.callerWords);
  const words = entry.words.filter((word) => !callerWords.has(word));
  const model = entry.vectors.length === 0 ? caller.model : entry.model;
  const callerVectors = model === caller.model ? caller.vectors : [];
  const buckets = bucketsOfAll([...entry.vectors.map(unpackVector), ...callerVectors]);
  return { ...entry, ...wordFields(words, caller.words), model, callerVectors: callerVectors.map(packVector), buckets };
}

/** The filter of a query for a word or bucket: in the order of the index that fits, without a gap. */
function termScope({ numberId, direction, remoteNumber, ...times }: SearchFilter) {
  if (remoteNumber !== undefined)
    return {
      remoteNumber,
      ...startTimes(times),
      ...(direction !== undefined && { direction }),
      ...(numberId !== undefined && { numberId }),
    };
  // Both directions are two ranges of the index, merged by time.
  return {
    ...(numberId !== undefined && { numberId }),
    direction: direction ?? { $in: DIRECTIONS },
    ...startTimes(times),
  };
}

function startTimes({ startedAfter, startedBefore }: SearchFilter) {
  if (!startedAfter && !startedBefore) return {};
  return { startedAt: { ...(startedAfter && { $gte: startedAfter }), ...(startedBefore && { $lte: startedBefore }) } };
}

function unpackVector(vector: Vector): number[] {
  return Array.from(new Int8Array(bytesOf(vector)), (value) => value / 127);
}

function bytesOf(vector: Vector): Uint8Array {
  return vector instanceof Uint8Array ? vector : vector.buffer;
}
