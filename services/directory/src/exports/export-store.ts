import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type AuditType, changedFields } from '@parley/actor';
import { decided, type Decision } from '@parley/errors';
import type { Export, ExportEvent } from './export.ts';

export type Exports = Aggregates<Export, ExportEvent>;
export type FileDownloads = Aggregates<FileDownload, ExportEvent>;

const EXPIRY_EVERY_MS = 3600 * 1000;
const expires = { name: 'expires', key: { expiresAt: 1 } } as const;
const encode = ({ type, exportId }: ExportEvent) => encodeMessage(type, { exportId });

export function openExports(db: Db, relay: Relay, clock: Clock): Promise<Exports> {
  return openAggregates<Export, ExportEvent>({
    db,
    collection: 'exports',
    relay,
    clock,
    encode,
    indexes: [{ name: 'company_phone', key: { companyId: 1, phoneNumber: 1 } }, expires],
  });
}

export function openFileDownloads(db: Db, relay: Relay, clock: Clock): Promise<FileDownloads> {
  return openAggregates<FileDownload, ExportEvent>({
    db,
    collection: 'file_downloads',
    relay,
    clock,
    encode,
    indexes: [{ name: 'company', key: { companyId: 1 } }, expires],
  });
}

/** Removes what has expired, with the numbers in it. */
export function startExportExpiry(
  exports: Pick<Exports | FileDownloads, 'startExpiry'>,
  { backgroundWork, telemetry }: Relay,
  clock: Clock,
) {
  return exports.startExpiry({
    expired: () => ({ expiresAt: { $lte: clock.now() } }),
    everyMs: EXPIRY_EVERY_MS,
    backgroundWork,
    log: telemetry.log,
  });
}

/** That a file with a list of the company is downloaded. */
interface FileDownload {
  readonly id: string;
  readonly companyId: string;
  readonly expiresAt: Date;
}

export type FileAuditType = Extract<AuditType, `${string}.exported`>;

/** Its event is stored with it and published from there. */
const KEPT_MS = 24 * 3600 * 1000;
/** Filters whose values are personal data or texts. */
const HIDDEN = ['phone_number', 'tag'];
/** Ids, times and names; anything else that is filtered by may be a phone number in another place. */
const SHOWN = /^(?:[a-z][\w./-]*|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)$/i;

export function recordFileDownload(
  identity: Pick<FileDownload, 'id' | 'companyId'>,
  file: { readonly type: FileAuditType; readonly name: string; readonly filter: Readonly<Record<string, string>> },
  now: Date,
): Decision<FileDownload, ExportEvent> {
  const { id } = identity;
  const { type, name, filter } = file;
  const hidden = Object.keys(filter).filter((field) => HIDDEN.includes(field) || !SHOWN.test(filter[field] ?? ''));
  const audit = { type, object: { type: 'file', id, name }, changes: changedFields({}, filter, { hidden }) };
  return decided({ ...identity, expiresAt: new Date(now.getTime() + KEPT_MS) }, [
    { type: 'directory.export.downloaded', exportId: id, audit },
  ]);
}
