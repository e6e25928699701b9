import type { Clock } from '@parley/clock';
import { batch, batching } from '@parley/queues';
import { type Documents, dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type CompanyTotals, noteChange, type ZoneRequest, requestZone } from './company-totals.ts';

export interface CompanyTotalsStore {
  readonly documents: Documents<CompanyTotals>;
  get(companyId: string): Promise<CompanyTotals | undefined>;
  /** Facts have changed with an event of this time. Written after them, so that a run that begins then reads the new facts. */
  note(companyId: string, since: Date): Promise<void>;
  /** Refuses too many new ones. */
  requestZone(companyId: string, zone: ZoneRequest): Promise<CompanyTotals>;
}

interface Noted {
  readonly companyId: string;
  readonly since: Date;
}

export async function openCompanyTotals(db: Db, clock: Clock): Promise<CompanyTotalsStore> {
  const documents = await openDocuments<CompanyTotals>({
    db,
    collection: 'company_totals',
    indexes: [{ ...dueIndex }],
    // Changes of a busy company are noted twice a second.
    recentMax: 1000,
  });
  const noteAll = batch<Noted, void>(async (noted) => {
    const byCompany = Map.groupBy(noted, ({ companyId }) => companyId);
    await Promise.all(
      [...byCompany].map(([companyId, own]) => {
        const since = new Date(Math.min(...own.map((one) => one.since.getTime())));
        return documents
          .of(companyId)
          .upsert(companyId, (current) => noteChange(current, companyId, since, clock.now()));
      }),
    );
    return noted.map(() => undefined);
  }, batching.changedTotals);
  return {
    documents,
    get: (companyId) => documents.of(companyId).get(companyId),
    note: (companyId, since) => noteAll({ companyId, since }),
    requestZone: (companyId, zone) =>
      documents.of(companyId).upsert(companyId, (current) => requestZone(current, companyId, zone, clock.now())),
  };
}
