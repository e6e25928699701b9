import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeDeletedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  ({ presences }: FollowerDeps): EventHandler =>
  async ({ data }) => {
    const { employee } = fromBinary(EmployeeDeletedSchema, data);
    if (employee) await presences.remove(employee.id);
  };
