import { decided } from '@parley/errors';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { leaveCalls } from '../dispatch/calls-of-employee.ts';
import type { DirectoryEmployee } from '../employees/directory-client.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { RegisteredContact } from '../presence/presence.ts';
import type { SoftphoneSessions } from '../softphone-sessions/softphone-session-store.ts';

export interface EmployeeDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Presences;
  readonly softphoneSessions: SoftphoneSessions;
  /** Removes a registration from a switch. */
  readonly dropRegistration: (employeeId: string, contact: RegisteredContact) => Promise<void>;
}

/**
 * Takes a copy of directory's record. What an employee supervises ends with the role that allowed it; the phones of one who is
 * deactivated end, which is decided by the newest copy: an older record may arrive late. May be repeated.
 */
export async function applyEmployee(
  deps: EmployeeDeps,
  { id: employeeId, companyId, record }: DirectoryEmployee,
): Promise<void> {
  const { calls, runner, presences } = deps;
  const { employee } = await presences.of(companyId).recordEmployee(employeeId, record);
  if (employee.deactivatedAt) return endPhones(deps, companyId, employeeId);
  if (record.role !== 'member') return;
  for (const call of await calls.offeredTo(companyId, employeeId))
    if (call.supervision) await runner.apply(call, { type: 'end_supervision', actorId: employeeId });
}

/** A switch that cannot be reached keeps the registration until it expires; the phone cannot refresh it. */
async function endPhones(deps: EmployeeDeps, companyId: string, employeeId: string): Promise<void> {
  const { presences, softphoneSessions, dropRegistration } = deps;
  const own = presences.of(companyId);
  await softphoneSessions.of(companyId).changeIfExists(employeeId, () => decided(null));
  const contacts = (await own.get(employeeId))?.leases.flatMap(({ contact }) => contact ?? []) ?? [];
  await Promise.allSettled(contacts.map((contact) => dropRegistration(employeeId, contact)));
  // After the switches: the leases tell a repetition, after a crash, which registrations to remove.
  await own.endLeases(employeeId, ({ kind }) => kind === 'registration');
  await leaveCalls(deps, companyId, employeeId);
}
