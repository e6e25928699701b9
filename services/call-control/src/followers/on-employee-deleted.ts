import { decided } from '@parley/errors';
import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

/** A switch that cannot be reached keeps the registration until it expires; the phone cannot refresh it. */
export const onEmployeeDeleted =
  ({
    presences,
    softphoneSessions,
    leaveCalls,
    dropRegistration,
  }: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }) => {
    if (!employee) return;
    const own = presences.of(employee.companyId);
    const contacts = (await own.get(employee.id))?.leases.flatMap(({ contact }) => contact ?? []) ?? [];
    await softphoneSessions.of(employee.companyId).changeIfExists(employee.id, () => decided(null));
    await own.remove(employee.id);
    // First, so that a call that was being offered to them does not ring any more.
    await Promise.allSettled(contacts.map((contact) => dropRegistration(employee.id, contact)));
    await leaveCalls(employee.companyId, employee.id);
  };
