import { notFound, Refused } from '@parley/errors';
import type { EventHandler } from '@parley/events';
import { hearPresence } from '../employees/employee.ts';
import { presenceFromProto } from '../presence/presence-proto.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onPresenceChanged =
  ({ employees }: FollowerDeps): EventHandler<'call-control.presence.changed'> =>
  async ({ presence }, { companyId }) => {
    if (!presence) return;
    const heard = presenceFromProto(presence);
    await employees
      .of(companyId)
      .change(presence.employeeId, (current) => hearPresence(current, heard))
      .catch(ignoreUnknown);
  };

/** An employee who was deleted meanwhile has no presence. */
export function ignoreUnknown(error: unknown): void {
  if (!(error instanceof Refused) || error.refusal.code !== notFound.code) throw error;
}
