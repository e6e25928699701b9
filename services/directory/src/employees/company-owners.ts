import { type Decision, decided, refusal, refused } from '@parley/errors';

/** An owner who is about to be one no longer. */
export interface OwnerChange {
  readonly sequence: number;
  readonly employeeId: string;
  /** Measured by the machine's clock: after that whoever began it has stopped, and it can be withdrawn. */
  readonly until: Date;
}

/**
 * The active owners of a company in one document, which decides who may stop being one. Everybody in `ownerIds` is an active owner by their
 * own record, and the list is never empty; so the company always has one. An owner may be missing from it for a while, after a crash.
 */
export interface CompanyOwners {
  /** The company's. */
  readonly id: string;
  readonly companyId: string;
  readonly ownerIds: readonly string[];
  /** Raised when a change begins and when it ends. */
  readonly sequence: number;
  readonly changes: readonly OwnerChange[];
}

export const lastOwner = refusal('last_owner', 'a company has at least one active owner');
const changing = refusal('conflict', 'another request is changing the ownership of this employee; retry');

export function listOwners(companyId: string, ownerIds: readonly string[]): CompanyOwners {
  return { id: companyId, companyId, ownerIds, sequence: 0, changes: [] };
}

/**
 * Removes the employee from the owners who remain before their record is written, so that two simultaneous changes cannot leave a
 * company without an owner.
 */
export function beginOwnerChange(
  current: CompanyOwners,
  employeeId: string,
  until: Date,
): Decision<CompanyOwners> & { readonly outcome: number } {
  const sequence = current.sequence + 1;
  if (openChange(current, employeeId)) return { ...refused(changing), outcome: 0 };
  const ownerIds = current.ownerIds.filter((id) => id !== employeeId);
  if (ownerIds.length === 0) return { ...refused(lastOwner), outcome: 0 };
  const changes = [...current.changes, { sequence, employeeId, until }];
  return { ...decided({ ...current, ownerIds, sequence, changes }), outcome: sequence };
}

/**
 * The employee's record is written, or withdrawn: `staysOwner`. It counts as a change: who read the records before it may not
 * add owners by them any more.
 */
export function endOwnerChange(
  current: CompanyOwners,
  { sequence, employeeId }: Pick<OwnerChange, 'sequence' | 'employeeId'>,
  staysOwner: boolean,
): Decision<CompanyOwners> {
  if (!current.changes.some((change) => change.sequence === sequence)) return decided(current);
  const changes = current.changes.filter((change) => change.sequence !== sequence);
  const ownerIds = staysOwner ? [...new Set([...current.ownerIds, employeeId])] : current.ownerIds;
  return decided({ ...current, changes, ownerIds, sequence: current.sequence + 1 });
}

/** Adds owners by their records, which were read after the list had `sequence`; a change since then makes them outdated. */
export function addMissingOwners(
  current: CompanyOwners,
  ownerIds: readonly string[],
  sequence: number,
): Decision<CompanyOwners> {
  const missing = ownerIds.filter((id) => !current.ownerIds.includes(id) && !openChange(current, id));
  if (current.sequence !== sequence || missing.length === 0) return decided(current);
  return decided({ ...current, ownerIds: [...current.ownerIds, ...missing] });
}

export function openChange({ changes }: CompanyOwners, employeeId: string): OwnerChange | undefined {
  return changes.find((change) => change.employeeId === employeeId);
}
