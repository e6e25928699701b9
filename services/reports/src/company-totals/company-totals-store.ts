import type { Clock } from '@parley/clock';
import { coalesce } from '@parley/queues';
import { type Documents, dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type Change, type CompanyTotals, noteChanges, type ZoneRequest, requestZone } from './company-totals.ts';

export interface CompanyTotalsStore {
  readonly documents: Documents<CompanyTotals>;
  get(companyId: string): Promise<CompanyTotals | undefined>;
  /** Facts have changed. Written after them, so that who makes the totals reads the new facts. */
  note(companyId: string, changes: readonly Change[]): Promise<void>;
  /** Refuses too many new ones. */
  requestZone(companyId: string, zone: ZoneRequest): Promise<CompanyTotals>;
}

interface Noted {
  readonly companyId: string;
  readonly changes: readonly Change[];
}

export async function openCompanyTotals(db: Db, clock: Clock): Promise<CompanyTotalsStore> {
  const documents = await openDocuments<CompanyTotals>({
    db,
    collection: 'company_totals',
    renamedFields: { wantedZones: 'requestedZones' },
    indexes: [{ ...dueIndex }],
    // Changes of a busy company are noted twice a second.
    recentMax: 1000,
  });
  const noteAll = coalesce<Noted, void>(
    async (noted) => {
      const byCompany = Map.groupBy(noted, ({ companyId }) => companyId);
      await Promise.all(
        [...byCompany].map(([companyId, own]) => {
          const changes = own.flatMap((one) => one.changes);
          return documents
            .of(companyId)
            .upsert(companyId, (current) => noteChanges(current, companyId, changes, clock.now()));
        }),
      );
      return noted.map(() => undefined);
    },
    { batchWaitMs: 50 },
  );
  return {
    documents,
    get: (companyId) => documents.of(companyId).get(companyId),
    note: (companyId, changes) => noteAll({ companyId, changes }),
    requestZone: (companyId, zone) =>
      documents.of(companyId).upsert(companyId, (current) => requestZone(current, companyId, zone, clock.now())),
  };
}
