import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeCreatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { FollowerDeps } from './followers.ts';

export const onEmployeeCreated =
  ({ accounts }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeCreatedSchema, event.data);
    if (employee) await accounts.ensure(employee);
  };
