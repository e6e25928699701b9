import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Export, ExportEvent } from './export.ts';

export type Exports = Aggregates<Export, ExportEvent>;

const EXPIRY_EVERY_MS = 3600 * 1000;

export function openExports(db: Db, relay: Relay, clock: Clock): Promise<Exports> {
  return openAggregates<Export, ExportEvent>({
    db,
    collection: 'exports',
    relay,
    clock,
    encode: ({ type, exportId }) => encodeMessage(type, { exportId }),
    indexes: [
      { name: 'company_phone', key: { companyId: 1, phoneNumber: 1 } },
      { name: 'expires', key: { expiresAt: 1 } },
    ],
  });
}

/** Removes exports that have expired, with the numbers in them. */
export function startExportExpiry(exports: Exports, { backgroundWork, telemetry }: Relay, clock: Clock) {
  return exports.startExpiry({
    expired: () => ({ expiresAt: { $lte: clock.now() } }),
    everyMs: EXPIRY_EVERY_MS,
    backgroundWork,
    log: telemetry.log,
  });
}
