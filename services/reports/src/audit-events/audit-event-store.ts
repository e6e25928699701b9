import { decided } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import type { BackgroundWork, Clock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { type AuditFilter, KEPT_DAYS, keyOf, type StoredAuditEvent } from './audit-event.ts';

/** The end of a page. */
export type AuditPosition = readonly [atMs: number, id: string];

/** `from` is inclusive, `to` exclusive. */
export interface AuditQuery extends AuditFilter {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The audit log. Entries are added and expire; nothing changes them. */
export interface AuditEvents {
  /** Repeating it changes nothing. */
  add(event: StoredAuditEvent): Promise<void>;
  /** Newest first. */
  page(
    companyId: string,
    query: AuditQuery,
    after: AuditPosition | undefined,
    limit: number,
  ): Promise<StoredAuditEvent[]>;
  /** Newest first, some at a time. */
  chunks(companyId: string, query: AuditQuery): AsyncIterable<StoredAuditEvent[]>;
  /** Removes what is older than `KEPT_DAYS`, until it is stopped. */
  startExpiry(options: { clock: Clock; backgroundWork: BackgroundWork; log: Logger }): { stop(): Promise<void> };
}

const DAY_MS = 24 * 3600 * 1000;
const EXPIRY_EVERY_MS = 3600 * 1000;
const NEWEST_FIRST = { at: -1, id: -1 } as const;

export async function openAuditEvents(db: Db): Promise<AuditEvents> {
  const documents = await openDocuments<StoredAuditEvent>({
    db,
    collection: 'audit_events',
    indexes: [
      { name: 'company_key_newest', key: { companyId: 1, keys: 1, at: -1, _id: -1 } },
      { name: 'at', key: { at: 1 } },
    ],
  });
  const matching = ({ from, to, ...filter }: AuditQuery) => ({
    keys: keyOf(filter),
    ...((from || to) && { at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
  });
  return {
    async add(event) {
      await documents.of(event.companyId).upsert(event.id, (known) => decided(known ?? event));
    },
    async page(companyId, query, after, limit) {
      const { keys, at } = matching(query);
      const ranges = after ? beginningAfter(after) : [{}];
      const found: StoredAuditEvent[] = [];
      // One range after the other: each is a part of the index, while an `$or` would be sorted in memory.
      for (const range of ranges) {
        const filter = { keys, $and: [...(at ? [{ at }] : []), range] };
        const rest = documents.of(companyId).find(filter, NEWEST_FIRST, limit - found.length);
        for await (const event of rest) found.push(event);
        if (found.length >= limit) break;
      }
      return found;
    },
    chunks: (companyId, query) => documents.of(companyId).findInChunks(matching(query), NEWEST_FIRST),
    startExpiry: ({ clock, backgroundWork, log }) =>
      documents.startExpiry({
        expired: () => ({ at: { $lt: new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS) } }),
        everyMs: EXPIRY_EVERY_MS,
        backgroundWork,
        log,
      }),
  };
}

function beginningAfter([atMs, id]: AuditPosition) {
  const at = new Date(atMs);
  return [{ at, id: { $lt: id } }, { at: { $lt: at } }];
}
