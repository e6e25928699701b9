import { movableClock, systemClock } from '@parley/clock';
import { newId } from '@parley/secrets';
import { idleRelay } from '@parley/aggregates/idle-relay';
import type { Db } from 'mongodb';
import type { DirectoryEmployee, EmployeeDirectory } from '../src/employees/directory-client.ts';
import { openPresences } from '../src/presence/presence-store.ts';

export const LEASE_MS = 20_000;

/** Presences on a real database, with a directory and clocks that the test controls. Events stay in their documents. */
export async function openTestPresences(db: Db) {
  const machineClock = movableClock(systemClock);
  const clock = movableClock(systemClock);
  const relay = idleRelay();
  const employees = new Map<string, DirectoryEmployee>();
  const asked: string[] = [];
  const directory: EmployeeDirectory = {
    async find(employeeId) {
      asked.push(employeeId);
      return employees.get(employeeId);
    },
    async recordSignIn(employeeId) {
      const known = employees.get(employeeId);
      if (known) employees.set(employeeId, { ...known, record: { ...known.record, invitationPending: false } });
      return employees.get(employeeId);
    },
  };
  const presences = await openPresences({ db, relay, clock, machineClock, leaseMs: LEASE_MS, directory });
  return {
    presences,
    machineClock,
    clock,
    employees,
    /** The employees that were requested from directory, in order. */
    asked,
    hire({ companyId = 'com_1', invitationPending = false } = {}): string {
      const id = newId('emp');
      const flags = { invitationPending, emailConfirmationPending: false, callWaiting: false };
      const record = { name: 'Emma', email: `${id}@example.com`, phone: null, ...flags, revision: 1 };
      employees.set(id, { id, companyId, record: { ...record, createdAt: new Date(), updatedAt: new Date() } });
      return id;
    },
  };
}
