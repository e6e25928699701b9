import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Export, ExportEvent } from './export.ts';
import type { FileDownload } from './file-download.ts';

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
