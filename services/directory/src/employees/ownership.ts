import { openDocuments } from '@parley/aggregates';
import type { Clock } from '@parley/clock';
import { decided, Refused } from '@parley/errors';
import type { Db } from 'mongodb';
import { isActive } from './deactivation.ts';
import { withdrawOwnerChange } from './employee.ts';
import { type Employees, OLDEST_FIRST } from './employee-store.ts';
import {
  addMissingOwners,
  beginOwnerChange,
  type CompanyOwners,
  endOwnerChange,
  listOwners,
  openChange,
  type OwnerChange,
} from './company-owners.ts';

/** Longer than a request can last. */
const CHANGE_MS = 30_000;

const ACTIVE_OWNERS = { role: 'owner', deactivatedAt: { $exists: false } } as const;

export type Ownership = Awaited<ReturnType<typeof openOwnership>>;

/**
 * Makes and unmakes owners so that a company always has an active one, exactly, with any number of processes and after any crash. The
 * list of owners is written before an owner's record loses the role or is deactivated, and after a record gets it or is reactivated. A sequence fences the record: a
 * change that was withdrawn cannot be written any more.
 */
export async function openOwnership(db: Db, employees: Employees, machineClock: Clock) {
  const lists = await openDocuments<CompanyOwners>({ db, collection: 'company_owners' });
  const ownerIdsOf = async (companyId: string): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of employees.of(companyId).find(ACTIVE_OWNERS, OLDEST_FIRST)) ids.push(id);
    return ids;
  };

  /** The list is made of the records when it is needed for the first time; later changes go through it. */
  async function listOf(companyId: string): Promise<CompanyOwners> {
    const known = await lists.of(companyId).get(companyId);
    if (known) return known;
    const ownerIds = await ownerIdsOf(companyId);
    return lists.of(companyId).upsert(companyId, (current) => decided(current ?? listOwners(companyId, ownerIds)));
  }

  async function withdraw(companyId: string, change: Pick<OwnerChange, 'sequence' | 'employeeId'>): Promise<void> {
    const employee = await employees
      .of(companyId)
      .changeIfExists(change.employeeId, (current) => withdrawOwnerChange(current, change.sequence));
    const staysOwner = employee?.role === 'owner' && isActive(employee);
    await lists.of(companyId).change(companyId, (current) => endOwnerChange(current, change, staysOwner));
  }

  /** Withdraws what a crash left behind, and adds owners whom a crash left out. */
  async function repair(companyId: string): Promise<void> {
    const now = machineClock.now();
    for (const change of (await listOf(companyId)).changes) if (change.until <= now) await withdraw(companyId, change);
    const { sequence } = await listOf(companyId);
    const ownerIds = await ownerIdsOf(companyId);
    await lists.of(companyId).change(companyId, (current) => addMissingOwners(current, ownerIds, sequence));
  }

  async function begin(companyId: string, employeeId: string): Promise<number> {
    await listOf(companyId);
    const until = new Date(machineClock.now().getTime() + CHANGE_MS);
    const { outcome } = await lists
      .of(companyId)
      .changeWithOutcome(companyId, (current) => beginOwnerChange(current, employeeId, until));
    return outcome;
  }

  return {
    /** `write` removes the role or the employee, or deactivates them, as a part of the change with the given sequence. Throws `last_owner`. */
    async unmake<Result>(
      companyId: string,
      employeeId: string,
      write: (ownerSequence: number) => Promise<Result>,
    ): Promise<Result> {
      const sequence = await begin(companyId, employeeId).catch(async (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        await repair(companyId);
        return begin(companyId, employeeId);
      });
      const change = { sequence, employeeId };
      let result;
      try {
        result = await write(sequence);
      } catch (error) {
        await withdraw(companyId, change).catch(() => undefined);
        throw error;
      }
      // A failure here does not undo what is written; the change is ended by the next one that finds it expired.
      await lists
        .of(companyId)
        .change(companyId, (current) => endOwnerChange(current, change, false))
        .catch(() => undefined);
      return result;
    },
    /** `write` gives the employee it returns the role, or reactivates them. */
    async make<Result extends { readonly id: string }>(
      companyId: string,
      employeeId: string | undefined,
      write: () => Promise<Result>,
    ): Promise<Result> {
      const list = await listOf(companyId);
      const open = employeeId === undefined ? undefined : openChange(list, employeeId);
      if (open && open.until <= machineClock.now()) await withdraw(companyId, open);
      const made = await write();
      await repair(companyId);
      return made;
    },
    async isLastOwner(companyId: string, employeeId: string): Promise<boolean> {
      await repair(companyId);
      const { ownerIds } = await listOf(companyId);
      return ownerIds.every((id) => id === employeeId);
    },
  };
}
