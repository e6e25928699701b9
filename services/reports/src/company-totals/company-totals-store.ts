import type { Clock } from '@parley/clock';
import { coalesce } from '@parley/queues';
import { type Documents, dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type Change, type CompanyTotals, noteChanges, type ZoneRequest, requestZone } from './company-totals.ts';

export interface CompanyTotalsStore {
  readonly documents: Documents<CompanyTotals>;
  get(companyId: string): Promise<CompanyTotals | undefined>;
  /** Facts have changed. Written after them, so that who makes the totals reads the new facts. */
  note(companyId: string, change: Change): Promise<void>;
  /** Refuses too many new ones. */
  requestZone(companyId: string, zone: ZoneRequest): Promise<CompanyTotals>;
}

export async function openCompanyTotals(db: Db, clock: Clock): Promise<CompanyTotalsStore> {
  const documents = await openDocuments<CompanyTotals>({
    db,
    collection: 'company_totals',
    renamedFields: { wantedZones: 'requestedZones' },
    indexes: [{ ...dueIndex }],
  });
  const noteAll = coalesce<{ companyId: string; change: Change }, void>(
    async (items) => {
      const byCompany = Map.groupBy(items, ({ companyId }) => companyId);
      await Promise.all(
        [...byCompany].map(([companyId, own]) =>
          documents.of(companyId).upsert(companyId, (current) =>
            noteChanges(
              current,
              companyId,
              own.map(({ change }) => change),
              clock.now(),
            ),
          ),
        ),
      );
      return items.map(() => undefined);
    },
    { batchWaitMs: 50 },
  );
  return {
    documents,
    get: (companyId) => documents.of(companyId).get(companyId),
    note: (companyId, change) => noteAll({ companyId, change }),
    requestZone: (companyId, zone) =>
      documents.of(companyId).upsert(companyId, (current) => requestZone(current, companyId, zone, clock.now())),
  };
}
