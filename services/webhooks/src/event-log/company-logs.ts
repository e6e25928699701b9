import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import { batch, cache } from '@parley/queues';
import type { Db } from 'mongodb';
import { LISTED_MS } from '../subscriptions/subscription-store.ts';
import { keptFrom } from './logged-event.ts';
import type { LogKey } from './segment.ts';

/** That a company's events are recorded. */
interface CompanyLog {
  /** The company's. */
  readonly id: string;
  readonly companyId: string;
  /** Tells it from one that the company had before. */
  readonly epoch: number;
  /** Events from before are not in it. */
  readonly eventsFrom: Date;
  /** Since when every event is in it: all processes knew of it then. Null in the first moments. */
  readonly recordedSince: Date | null;
  /** Read, or a webhook was created or deleted; an hour old at most. */
  readonly lastUsedAt: Date;
}

/** A company's log, for those who write to it or read it. */
export interface Recording extends LogKey {
  /** Events from before are not in it. */
  readonly eventsFrom: Date;
}

export type CompanyLogs = Awaited<ReturnType<typeof openCompanyLogs>>;

const COMPANIES = 10_000;
/** How often the use is written down. */
const USE_MS = 3600_000;
const PORTION = 200;

/** Which companies have a log: those that have a webhook or have read events in the last 30 days. */
export async function openCompanyLogs(db: Db, clock: Clock) {
  const documents = await openDocuments<CompanyLog>({
    db,
    collection: 'company_event_logs',
    reusesIds: true,
    indexes: [
      { name: 'company', key: { companyId: 1 } },
      { name: 'last_used', key: { lastUsedAt: 1, _id: 1 } },
    ],
  });
  const { bulk } = documents;

  const found = batch(async (companyIds: readonly string[]) => {
    const filter = { id: { $in: [...new Set(companyIds)] } };
    const logs = await bulk.readPage({ filter, sort: { id: 1 }, limit: companyIds.length });
    const byCompany = new Map(logs.map((log) => [log.id, log]));
    return companyIds.map((companyId) => byCompany.get(companyId));
  });
  const recent = cache<CompanyLog | undefined>({ ageMaxMs: LISTED_MS, max: COMPANIES });
  const findRecent = (companyId: string) => recent.get(companyId, () => found(companyId));

  /** From when this returns, `seenByAll` later all processes record. */
  async function begin(companyId: string): Promise<CompanyLog> {
    const now = clock.now();
    const fresh = {
      id: companyId,
      companyId,
      epoch: Date.now(),
      eventsFrom: now,
      recordedSince: null,
      lastUsedAt: now,
    };
    return documents.of(companyId).upsert(companyId, (log) => {
      if (!log) return decided<CompanyLog>(fresh);
      return decided(isUsed(log, now) ? log : { ...log, lastUsedAt: now });
    });
  }

  /** Every process has seen that it began. */
  async function confirm(companyId: string): Promise<CompanyLog | undefined> {
    const now = clock.now();
    return documents
      .of(companyId)
      .changeIfExists(companyId, (log) => decided(log.recordedSince ? log : { ...log, recordedSince: now }));
  }

  return {
    /** As it was `LISTED_MS` ago at most. */
    async recording(companyId: string): Promise<Recording | undefined> {
      const log = await findRecent(companyId);
      return log && recordingOf(log);
    },
    begin,
    confirm,
    /** The log of a reader, from its first use on. */
    async used(companyId: string): Promise<{ recording: Recording; recordedSince: Date }> {
      const known = await findRecent(companyId);
      const log = known && isUsed(known, clock.now()) ? known : await begin(companyId);
      if (log.recordedSince) return { recording: recordingOf(log), recordedSince: log.recordedSince };
      await sleep(LISTED_MS);
      const confirmed = (await confirm(companyId)) ?? log;
      return { recording: recordingOf(confirmed), recordedSince: confirmed.recordedSince ?? clock.now() };
    },
    /** Removes logs that were not used for 30 days, unless they still are; what they had is removed afterwards. */
    async endUnused(isNeeded: (companyId: string) => Promise<boolean>): Promise<Recording[]> {
      const ended: Recording[] = [];
      const before = keptFrom(clock.now());
      const unused = { lastUsedAt: { $lt: before } };
      for (const log of await bulk.readPage({ filter: unused, sort: { lastUsedAt: 1, id: 1 }, limit: PORTION })) {
        if (await isNeeded(log.companyId)) {
          await begin(log.companyId);
          continue;
        }
        // Whoever uses it now writes that down, or finds that there is none and begins a new one.
        const removed = await bulk.removeAll({ id: log.id, ...unused });
        if (removed > 0) ended.push(recordingOf(log));
      }
      return ended;
    },
    /** Which of the logs are there. */
    async areThere(logs: readonly LogKey[]): Promise<boolean[]> {
      const current = await Promise.all(logs.map(({ companyId }) => found(companyId)));
      return logs.map(({ epoch }, index) => current[index]?.epoch === epoch);
    },
    /** After the clock was moved back: what would lie in the future is now. */
    async pullBack(now: Date): Promise<void> {
      for await (const { id } of documents.acrossCompanies.find({ lastUsedAt: { $gt: now } }, { lastUsedAt: 1, id: 1 }))
        await documents.acrossCompanies.changeIfExists(id, (log) => decided({ ...log, ...adjustedTo(log, now) }));
    },
  };
}

function recordingOf({ companyId, epoch, eventsFrom }: CompanyLog): Recording {
  return { companyId, epoch, eventsFrom };
}

function isUsed({ lastUsedAt }: CompanyLog, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() < USE_MS;
}

function adjustedTo({ eventsFrom, recordedSince, lastUsedAt }: CompanyLog, now: Date): Partial<CompanyLog> {
  const upToNow = (time: Date) => (time < now ? time : now);
  return {
    eventsFrom: upToNow(eventsFrom),
    recordedSince: recordedSince && upToNow(recordedSince),
    lastUsedAt: upToNow(lastUsedAt),
  };
}
