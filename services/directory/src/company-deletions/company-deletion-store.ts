import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { type Aggregates, NotAvailable, openAggregates, type Relay, type RunningCommands } from '@parley/aggregates';
import type { DeletedCompany, Erase, ErasedPortion } from '@parley/personal-data';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import type { Channel } from '@parley/rpc';
import type { Db } from 'mongodb';
import { currentPart, type EraseCommand } from '../erasures/erasure.ts';
import { type CompanyDeletion, type CompanyDeletionEvent, recordDeletion } from './company-deletion.ts';

export type CompanyDeletions = Aggregates<CompanyDeletion, CompanyDeletionEvent, EraseCommand>;

/** It outlives the company. */
export const COMPANY_DELETIONS = 'company_deletions';

/** A portion reads some hundred records; far more than that takes. */
const TIMEOUT_MS = 60_000;
/** Longer than a portion takes; another process takes over after it. */
const LEASE_MS = 90_000;

export function openCompanyDeletions(db: Db, relay: Relay, clock: Clock): Promise<CompanyDeletions> {
  return openAggregates<CompanyDeletion, CompanyDeletionEvent, EraseCommand>({
    db,
    collection: COMPANY_DELETIONS,
    relay,
    clock,
    encode: ({ type, deletionId }) => encodeMessage(type, { deletionId }),
  });
}

export function companyPartOf(channel: Channel): Erase<DeletedCompany> {
  const personalData = channel.client(PersonalDataService);
  return async ({ companyId }, position) => {
    const { removed, done, waiting, ...answer } = await personalData.eraseCompany(
      { companyId, position },
      { timeoutMs: TIMEOUT_MS },
    );
    return { removed, position: answer.position, isDone: done, isWaiting: waiting };
  };
}

/** Deletes companies, one at a time and a portion at a time. What fails, or whose process ends, is repeated. */
export function startCompanyDeletions(
  deletions: CompanyDeletions,
  parts: ReadonlyMap<string, Erase<DeletedCompany>>,
): RunningCommands {
  return deletions.startCommands<{ erase: ErasedPortion | null }>(
    {
      erase: {
        guarantee: 'until_confirmed',
        async execute(_command, { companyId, aggregateId }) {
          const deletion = await deletions.of(companyId).get(aggregateId);
          const part = deletion && currentPart(deletion);
          if (!part) return null;
          const erase = parts.get(part.name);
          if (!erase) throw new Error(`there is no service ${part.name}`);
          const portion = await erase({ companyId }, part.position);
          if (portion.isWaiting && portion.removed === 0) throw new NotAvailable('a call is in progress');
          return portion;
        },
        settle: (deletion: CompanyDeletion, _command, portion, now) =>
          portion === null || 'unknown' in portion
            ? decided<CompanyDeletion, CompanyDeletionEvent, EraseCommand>(deletion)
            : recordDeletion(deletion, portion, now),
      },
    },
    { concurrency: 1, leaseMs: LEASE_MS },
  );
}
