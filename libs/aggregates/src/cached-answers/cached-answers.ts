import { setImmediate } from 'node:timers/promises';
import { type Broker, decodeEvent } from '@parley/events';
import { LRUCache } from 'lru-cache';

/** Answers of other services about companies. */
export interface CachedAnswers {
  /** The cached answer, or that of `ask`; requests at the same time share one. */
  get<Answer>(companyId: string, key: string, ask: () => Promise<Answer>): Promise<Answer>;
  /** The same for several keys: those that are not cached are asked for together, and those without an answer are left out. */
  getMany<Answer>(
    companyId: string,
    kind: string,
    ids: readonly string[],
    ask: (missing: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  ): Promise<ReadonlyMap<string, Answer>>;
}

/** Entries of no particular company are dropped with any event. */
export const ANY_COMPANY = '';

const COMPANIES_MAX = 10_000;

/**
 * Caches answers until an event says that they may be outdated. Their owners publish the events of a change before they confirm it
 * (`announced` of their store), so whoever has changed something sees it here. `cachedMs` limits how long a lost event matters; while
 * there is no connection to the broker nothing is cached. An answer that is on its way when an event arrives is not cached either.
 */
export async function cachedAnswers(
  broker: Pick<Broker, 'connection' | 'connected' | 'eventPattern' | 'onReconnect'>,
  { events, cachedMs }: { events: readonly string[]; cachedMs: number },
): Promise<CachedAnswers> {
  const companies = new LRUCache<string, Map<string, Promise<unknown>>>({ max: COMPANIES_MAX, ttl: cachedMs });
  for (const type of events)
    broker.connection.subscribe(broker.eventPattern(type), {
      callback(_error, { data }) {
        companies.delete(ANY_COMPANY);
        const companyId = companyOf(data);
        if (companyId === undefined) companies.clear();
        else companies.delete(companyId);
      },
    });
  broker.onReconnect(() => companies.clear());
  await broker.connection.flush();

  function answersOf(companyId: string): Map<string, Promise<unknown>> {
    if (cachedMs === 0 || !broker.connected()) return new Map();
    const known = companies.get(companyId) ?? new Map<string, Promise<unknown>>();
    if (!companies.has(companyId)) companies.set(companyId, known);
    return known;
  }

  /**
   * An event that was published before a request may still be unread in this process, behind the request. After the current
   * round of the event loop everything that had arrived is read.
   */
  async function get<Answer>(companyId: string, key: string, ask: () => Promise<Answer>): Promise<Answer> {
    await setImmediate();
    return getAfterEvents(companyId, key, ask);
  }

  function getAfterEvents<Answer>(companyId: string, key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answers = answersOf(companyId);
    const known = answers.get(key) as Promise<Answer> | undefined;
    if (known) return known;
    const answer = ask();
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  }

  return {
    get,
    async getMany<Answer>(
      companyId: string,
      kind: string,
      ids: readonly string[],
      ask: (missing: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
    ) {
      await setImmediate();
      const missing = new Set<string>();
      const asked = Promise.withResolvers<ReadonlyMap<string, Answer>>();
      const answers = [...new Set(ids)].map((id) =>
        getAfterEvents(companyId, `${kind} ${id}`, () => {
          missing.add(id);
          return asked.promise.then((found) => found.get(id));
        }).then((answer) => [id, answer] as const),
      );
      if (missing.size > 0) asked.resolve(ask([...missing]));
      const found = await Promise.all(answers);
      return new Map(found.filter((entry): entry is readonly [string, Answer & {}] => entry[1] !== undefined));
    },
  };
}

/** Undefined for an event that cannot be read: an error in a callback would end the connection. */
function companyOf(data: Uint8Array): string | undefined {
  try {
    return decodeEvent(data).companyId;
  } catch {
    return undefined;
  }
}
