import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeUpdatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { FollowerDeps } from './followers.ts';

export const onEmployeeUpdated =
  ({ accounts }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeUpdatedSchema, event.data);
    if (employee) await accounts.ensure(employee);
  };
