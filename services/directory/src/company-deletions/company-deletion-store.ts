import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay, type RunningCommands } from '@parley/aggregates';
import type { DeletedCompany, Erase } from '@parley/personal-data';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import type { Channel } from '@parley/rpc';
import type { Db } from 'mongodb';
import type { EraseCommand } from '../erasures/erasure.ts';
import { startErasing } from '../erasures/start-erasures.ts';
import { type CompanyDeletion, type CompanyDeletionEvent, recordDeletion } from './company-deletion.ts';

export type CompanyDeletions = Aggregates<CompanyDeletion, CompanyDeletionEvent, EraseCommand>;

/** It outlives the company. */
export const COMPANY_DELETIONS = 'company_deletions';

/** A portion reads some hundred records; far more than that takes. */
const TIMEOUT_MS = 60_000;

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

/** Deletes companies, one at a time. */
export function startCompanyDeletions(
  deletions: CompanyDeletions,
  parts: ReadonlyMap<string, Erase<DeletedCompany>>,
): RunningCommands {
  return startErasing(deletions, 1, recordDeletion, ({ companyId }, { name, position }) =>
    parts.get(name)!({ companyId }, position),
  );
}
