import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeUpdatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import { hearFacts } from '../presence/presence.ts';
import type { FollowerDeps } from './follower-deps.ts';

/** Every event of an employee but the last carries the same snapshot. */
export const onEmployeeChanged =
  ({ presences }: FollowerDeps): EventHandler =>
  async ({ data }) => {
    const { employee } = fromBinary(EmployeeUpdatedSchema, data);
    if (!employee) return;
    const facts = {
      companyId: employee.companyId,
      doNotDisturb: employee.doNotDisturbActivatedAt !== undefined,
      invitationPending: employee.invitationPending,
    };
    await presences.change(employee.id, (current, now) => hearFacts(current, facts, now), facts);
  };
