import { createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { batch, cache } from '@parley/queues';
import { openDocuments } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { ErasureStep } from './erasure.ts';

/** That a person was erased. The number is not part of it. */
interface ErasedPerson {
  /** A keyed hash of the company and the number. */
  readonly id: string;
  readonly companyId: string;
  /** Older data must not be stored again. */
  readonly before: Date;
  readonly expiresAt: Date;
}

export type ErasedPeople = Awaited<ReturnType<typeof openErasedPeople>>;

interface Question {
  readonly ids: readonly string[];
  readonly happenedAt: Date;
}

const DAY_MS = 24 * 3600 * 1000;
/** Longer than any log keeps events: after it nothing older can be published again. */
const KEPT_DAYS = 45;

/** Companies whose erased people are cached, and how many of each. */
const COMPANIES = 10_000;
const CACHED_PEOPLE_MAX = 100;

/** The erased people of a company: the time of the erasure by id; `many` when they are not cached. */
type CachedPeople = ReadonlyMap<string, Date> | 'many';

/**
 * Detects data that arrives, late or again, about a person who was erased after it happened. `keys`: 32 bytes in base64 each. The first one
 * writes.
 */
export async function openErasedPeople(options: {
  db: Db;
  keys: readonly string[];
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
  /** An answer may be this old, and an erasure waits as long before it continues. Without it every answer is read. */
  cachedMs?: number;
}) {
  const { db, keys, clock, backgroundWork, log, cachedMs = 0 } = options;
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley erased people', 32)),
  );
  const people = await openDocuments<ErasedPerson>({
    db,
    collection: 'erased_people',
    indexes: [
      { name: 'expires', key: { expiresAt: 1 } },
      { name: 'company', key: { companyId: 1 } },
    ],
  });
  const expiry = people.startExpiry({
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    everyMs: 3600_000,
    backgroundWork,
    log,
  });
  const idsOf = (companyId: string, phoneNumber: string) =>
    secrets.map((secret) => createHmac('sha256', secret).update(`${companyId} ${phoneNumber}`).digest('base64url'));

  const idsOfAll = (companyId: string, phoneNumbers: readonly string[]) =>
    phoneNumbers.flatMap((phoneNumber) => idsOf(companyId, phoneNumber));

  /** Many events arrive at a time; nearly all are of nobody who was erased. */
  const ask = batch(async (questions: readonly Question[]) => {
    const ids = [...new Set(questions.flatMap((question) => question.ids))];
    const found = await people.bulk.readPage({ filter: { id: { $in: ids } }, sort: { id: 1 }, limit: ids.length });
    const before = new Map(found.map((person) => [person.id, person.before]));
    return questions.map((question) => question.ids.some((id) => (before.get(id) ?? 0) >= question.happenedAt));
  });

  const recent = cache<CachedPeople>({ ageMaxMs: cachedMs, max: COMPANIES });

  async function readPeople(companyId: string): Promise<CachedPeople> {
    const limit = CACHED_PEOPLE_MAX + 1;
    const found = await people.bulk.readPage({
      filter: { companyId },
      sort: { companyId: 1 },
      limit,
      index: 'company',
    });
    if (found.length === limit) return 'many';
    return new Map(found.map((person) => [person.id, person.before]));
  }

  /** The first step of an erasure: from then on nothing older is stored. */
  const step: ErasureStep = {
    name: 'mark',
    async erase({ companyId, phoneNumber, before }) {
      const [id = ''] = idsOf(companyId, phoneNumber);
      const expiresAt = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS);
      await people
        .of(companyId)
        .upsert(id, (current) =>
          decided(current && current.before >= before ? current : { id, companyId, before, expiresAt }),
        );
      // From now on no process answers with what it read before.
      if (cachedMs > 0) await sleep(cachedMs);
      return { removed: 0 };
    },
  };

  return {
    step,
    async wasErased(companyId: string, phoneNumbers: readonly string[], happenedAt: Date): Promise<boolean> {
      if (phoneNumbers.length === 0) return false;
      const known = cachedMs > 0 ? await recent.get(companyId, () => readPeople(companyId)) : 'many';
      if (known !== 'many' && known.size === 0) return false;
      if (known !== 'many') return idsOfAll(companyId, phoneNumbers).some((id) => (known.get(id) ?? 0) >= happenedAt);
      return ask({ ids: idsOfAll(companyId, phoneNumbers), happenedAt });
    },
    stop: () => expiry.stop(),
  };
}
