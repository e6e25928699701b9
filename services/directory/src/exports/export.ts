import type { AuditEntry, Audited } from '@parley/actor';
import { type Decision, decided, refused } from '@parley/errors';
import { type GivenPerson, personNumber } from '../erasures/person-number.ts';

/** That a person's data may be downloaded. The archive is made when it is downloaded and stored nowhere. */
export interface Export {
  readonly id: string;
  readonly companyId: string;
  /** Of a person, as an erasure has it. */
  readonly phoneNumber: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly downloads: number;
}

export interface ExportEvent extends Audited {
  readonly type: 'directory.export.requested' | 'directory.export.downloaded';
  readonly exportId: string;
}

const DAY_MS = 24 * 3600 * 1000;

/** `country`: the company's, by whose numbering plan national numbers are read. */
export function requestExport(
  identity: Pick<Export, 'id' | 'companyId'>,
  given: GivenPerson,
  country: string,
  now: Date,
): Decision<Export, ExportEvent> {
  const person = personNumber(given, country);
  if ('refusal' in person) return refused(person.refusal);
  const expiresAt = new Date(now.getTime() + DAY_MS);
  return decided({ ...identity, phoneNumber: person.number, requestedAt: now, expiresAt, downloads: 0 }, [
    { type: 'directory.export.requested', exportId: identity.id, audit: auditOf('export.requested', identity.id) },
  ]);
}

/** Somebody begins to download the archive. */
export function recordDownload(current: Export): Decision<Export, ExportEvent> {
  const { id } = current;
  return decided({ ...current, downloads: current.downloads + 1 }, [
    { type: 'directory.export.downloaded', exportId: id, audit: auditOf('export.downloaded', id) },
  ]);
}

export function isExpired({ expiresAt }: Export, now: Date): boolean {
  return expiresAt <= now;
}

function auditOf(type: 'export.requested' | 'export.downloaded', id: string): AuditEntry {
  return { type, object: { type: 'export', id, name: '' }, changes: {} };
}
