import { createHmac, hkdfSync } from 'node:crypto';
import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { coalesce } from '@parley/queues';
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

/** Detects data that arrives, late or again, about a person who was erased after it happened. */
export interface ErasedPeople {
  /** The first step of an erasure: from then on nothing older is stored. */
  readonly step: ErasureStep;
  wasErased(companyId: string, phoneNumbers: readonly string[], happenedAt: Date): Promise<boolean>;
  stop(): Promise<void>;
}

interface Question {
  readonly ids: readonly string[];
  readonly happenedAt: Date;
}

const DAY_MS = 24 * 3600 * 1000;
/** Longer than any log keeps events: after it nothing older can be published again. */
const KEPT_DAYS = 45;

/** `keys`: 32 bytes in base64 each. The first one writes. */
export async function openErasedPeople(options: {
  db: Db;
  keys: readonly string[];
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): Promise<ErasedPeople> {
  const { db, keys, clock, backgroundWork, log } = options;
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley erased people', 32)),
  );
  const people = await openDocuments<ErasedPerson>({
    db,
    collection: 'erased_people',
    indexes: [{ name: 'expires', key: { expiresAt: 1 } }],
  });
  const expiry = people.startExpiry({
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    everyMs: 3600_000,
    backgroundWork,
    log,
  });
  const idsOf = (companyId: string, phoneNumber: string) =>
    secrets.map((secret) => createHmac('sha256', secret).update(`${companyId} ${phoneNumber}`).digest('base64url'));

  /** Many events arrive at a time; nearly all are of nobody who was erased. */
  const ask = coalesce(async (questions: readonly Question[]) => {
    const ids = [...new Set(questions.flatMap((question) => question.ids))];
    const found = await people.bulk.readPage({ filter: { id: { $in: ids } }, sort: { id: 1 }, limit: ids.length });
    const before = new Map(found.map((person) => [person.id, person.before]));
    return questions.map((question) => question.ids.some((id) => (before.get(id) ?? 0) >= question.happenedAt));
  }, {});

  return {
    step: {
      name: 'mark',
      async erase({ companyId, phoneNumber, before }) {
        const [id = ''] = idsOf(companyId, phoneNumber);
        const expiresAt = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS);
        await people
          .of(companyId)
          .upsert(id, (current) =>
            decided(current && current.before >= before ? current : { id, companyId, before, expiresAt }),
          );
        return { removed: 0 };
      },
    },
    async wasErased(companyId, phoneNumbers, happenedAt) {
      if (phoneNumbers.length === 0) return false;
      return ask({ ids: phoneNumbers.flatMap((phoneNumber) => idsOf(companyId, phoneNumber)), happenedAt });
    },
    stop: () => expiry.stop(),
  };
}
