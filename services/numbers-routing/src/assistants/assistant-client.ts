import type { CachedAnswers } from '@parley/events';
import { AssistantEngine, AssistantReferenceService } from '@parley/proto/assistant/v1/assistants_pb';
import type { Channel } from '@parley/rpc';
import { isId } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';

/** What is said of an assistant when a route is explained. */
export interface KnownAssistant {
  readonly name: string;
  /** Calls to one that is not active go to the fallback at once. */
  readonly active: boolean;
  /** What would decide its next sentence now. */
  readonly engine: 'embedded' | 'endpoint';
}

/** The company's assistants, from the service assistant. */
export type Assistants = ReturnType<typeof assistantClient>;

/** A caller may be waiting. */
const NAMES_TIMEOUT_MS = 1000;
/** More than are in use at any one time. */
const NAMES_MAX = 10_000;

export function assistantClient(channel: Channel, answers: Pick<CachedAnswers, 'getMany'>, log: Pick<Logger, 'warn'>) {
  const service = channel.client(AssistantReferenceService);
  /** By company and id; for as long as the service cannot be reached. */
  const lastNames = new LRUCache<string, string>({ max: NAMES_MAX });

  async function lookUp(companyId: string, ids: readonly string[], timeoutMs?: number) {
    const possible = ids.filter((id) => isId('ast', id));
    if (possible.length === 0) return [];
    const request = { companyId, ids: possible };
    const { assistants } = await service.lookUpAssistants(request, timeoutMs === undefined ? {} : { timeoutMs });
    return assistants;
  }

  async function askForNames(companyId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await lookUp(companyId, ids, NAMES_TIMEOUT_MS);
    for (const { id, name } of found) lastNames.set(`${companyId} ${id}`, name);
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  return {
    /** Those of the given that are not assistants of the company, or are just being deleted. */
    async unknown(companyId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await lookUp(companyId, ids);
      const known = new Set(found.filter(({ beingDeleted }) => !beingDeleted).map(({ id }) => id));
      return new Set(ids.filter((id) => !known.has(id)));
    },
    /** Those of the given that are assistants of the company, as they are now. */
    async known(companyId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KnownAssistant>> {
      const found = await lookUp(companyId, ids);
      return new Map(
        found.map(({ id, name, active, engineInUse }) => [
          id,
          { name, active, engine: engineInUse === AssistantEngine.ENDPOINT ? 'endpoint' : 'embedded' },
        ]),
      );
    },
    /** Their names; the last known ones while the service cannot be reached, because calls and numbers do not depend on them. */
    async names(companyId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map();
      try {
        return await answers.getMany(companyId, 'assistant', ids, (missing) => askForNames(companyId, missing));
      } catch (error) {
        log.warn({ err: error }, 'names of assistants not read');
        return new Map(ids.map((id) => [id, lastNames.get(`${companyId} ${id}`) ?? '']));
      }
    },
  };
}
