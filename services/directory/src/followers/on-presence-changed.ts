import { fromBinary } from '@bufbuild/protobuf';
import { notFound, Refused } from '@parley/errors';
import type { EventHandler } from '@parley/events';
import { PresenceChangedSchema } from '@parley/proto/call_control/v1/presence_events_pb';
import { hearPresence } from '../employees/employee.ts';
import { presenceFromProto } from '../presence/presence-proto.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onPresenceChanged =
  ({ employees }: FollowerDeps): EventHandler =>
  async ({ companyId, data }) => {
    const { presence } = fromBinary(PresenceChangedSchema, data);
    if (!presence) return;
    const heard = presenceFromProto(presence);
    await employees
      .of(companyId)
      .change(presence.employeeId, (current) => hearPresence(current, heard))
      .catch(ignoreUnknown);
  };

/** Somebody who has left by now has no presence. */
export function ignoreUnknown(error: unknown): void {
  if (!(error instanceof Refused) || error.refusal.code !== notFound.code) throw error;
}
