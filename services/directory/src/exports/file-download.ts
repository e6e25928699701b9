import { type AuditType, changedFields } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';
import type { ExportEvent } from './export.ts';

/** That a file with a list of the company is downloaded. */
export interface FileDownload {
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
