import type { AuditEntry, Audited } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';
import type { ErasedPortion } from '@parley/personal-data';
import { currentPart, type EraseCommand, type ErasurePart, newParts, partsAfter } from '../erasures/erasure.ts';

/** The deletion of a company with everything it has; it stays as the receipt. */
export interface CompanyDeletion {
  readonly id: string;
  readonly companyId: string;
  readonly state: 'running' | 'done';
  readonly parts: readonly ErasurePart[];
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
}

export interface CompanyDeletionEvent extends Audited {
  readonly type: 'directory.company_deletion.requested';
  readonly deletionId: string;
}

export type CompanyDeletionDecision = Decision<CompanyDeletion, CompanyDeletionEvent, EraseCommand>;

const ERASE: EraseCommand = { kind: 'erase' };

/** There is one for each company. */
export function deletionIdOf(companyId: string): string {
  return companyId.replace(/^com_/, 'cdl_');
}

/** A repeated request changes nothing. */
export function requestDeletion(
  current: CompanyDeletion | undefined,
  company: { readonly id: string; readonly name: string },
  parts: readonly string[],
  now: Date,
): CompanyDeletionDecision {
  if (current) return decided<CompanyDeletion, CompanyDeletionEvent, EraseCommand>(current);
  const deletion: CompanyDeletion = {
    id: deletionIdOf(company.id),
    companyId: company.id,
    state: 'running',
    parts: newParts(parts),
    requestedAt: now,
    doneAt: null,
  };
  const audit: AuditEntry = {
    type: 'company.deletion_requested',
    object: { type: 'company', id: company.id, name: company.name },
    changes: {},
  };
  return decided<CompanyDeletion, CompanyDeletionEvent, EraseCommand>(
    deletion,
    [{ type: 'directory.company_deletion.requested', deletionId: deletion.id, audit }],
    { commands: [ERASE] },
  );
}

export function recordDeletion(deletion: CompanyDeletion, portion: ErasedPortion, now: Date): CompanyDeletionDecision {
  const next = { ...deletion, parts: partsAfter(deletion.parts, portion) };
  return currentPart(next)
    ? decided<CompanyDeletion, CompanyDeletionEvent, EraseCommand>(next, [], { commands: [ERASE] })
    : decided<CompanyDeletion, CompanyDeletionEvent, EraseCommand>({ ...next, state: 'done', doneAt: now });
}
