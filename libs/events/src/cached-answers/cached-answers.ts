import { setImmediate } from 'node:timers/promises';
import { cache } from '@parley/queues';
import type { Broker } from '../broker/broker.ts';
import { decodeEvent } from '../event/envelope.ts';

/** Answers of other services about companies. */
export type CachedAnswers = Awaited<ReturnType<typeof cachedAnswers>>;

/** Entries of no particular company are dropped with any event. */
export const ANY_COMPANY = '';

const COMPANIES_MAX = 10_000;
const ANSWERS_MAX = 20_000;

/**
 * Caches answers until an event says that they may be outdated. Their owners publish the events of a change before they confirm it
 * (`announced` of their store), so whoever has changed something sees it here. `cachedMs` limits how long a lost event matters; while
 * there is no connection to the broker nothing is cached. An answer that is on its way when an event arrives is not cached either.
 */
export async function cachedAnswers(
  broker: Pick<Broker, 'connection' | 'connected' | 'eventPattern' | 'onReconnect'>,
  { events, cachedMs }: { events: readonly string[]; cachedMs: number },
) {
  const answers = cache<unknown>({ ageMaxMs: cachedMs, max: ANSWERS_MAX });
  /** Part of the key of every answer: an event of the company begins a new one, and earlier answers are not found any more. */
  const epochs = cache<number>({ ageMaxMs: cachedMs, max: COMPANIES_MAX });
  let lastEpoch = 0;
  const newEpoch = async () => ++lastEpoch;
  for (const type of events)
    broker.connection.subscribe(broker.eventPattern(type), {
      callback(_error, { data }) {
        epochs.delete(ANY_COMPANY);
        const companyId = companyOf(data);
        if (companyId === undefined) epochs.clear();
        else epochs.delete(companyId);
      },
    });
  broker.onReconnect(() => epochs.clear());
  await broker.connection.flush();

  /**
   * An event that was published before a request may still be unread in this process, behind the request. After the current
   * round of the event loop everything that had arrived is read.
   */
  async function epochOf(companyId: string): Promise<number> {
    await setImmediate();
    const isCached = cachedMs > 0 && broker.connected();
    return isCached ? epochs.get(companyId, newEpoch) : newEpoch();
  }

  return {
    /** The cached answer, or that of `ask`; requests at the same time share one. */
    async get<Answer>(companyId: string, key: string, ask: () => Promise<Answer>): Promise<Answer> {
      const epoch = await epochOf(companyId);
      return answers.get(`${epoch} ${key}`, ask) as Promise<Answer>;
    },
    /** The same for several ids: those that are not cached are asked for together, and those without an answer are left out. */
    async getMany<Answer>(
      companyId: string,
      kind: string,
      ids: readonly string[],
      ask: (missing: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
    ): Promise<ReadonlyMap<string, Answer>> {
      const prefix = `${await epochOf(companyId)} ${kind} `;
      const withPrefix = (id: string) => prefix + id;
      const withoutPrefix = (key: string) => key.slice(prefix.length);
      const found = await answers.getMany(ids.map(withPrefix), async (missing) =>
        mapKeys(await ask(missing.map(withoutPrefix)), withPrefix),
      );
      return mapKeys(found as ReadonlyMap<string, Answer>, withoutPrefix);
    },
  };
}

function mapKeys<Value>(map: ReadonlyMap<string, Value>, rename: (key: string) => string): Map<string, Value> {
  return new Map([...map].map(([key, value]) => [rename(key), value]));
}

/** Undefined for an event that cannot be read: an error in a callback would end the connection. */
function companyOf(data: Uint8Array): string | undefined {
  try {
    return decodeEvent(data).companyId;
  } catch {
    return undefined;
  }
}
