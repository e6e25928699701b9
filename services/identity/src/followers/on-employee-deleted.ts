import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeDeletedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import { endEmployee } from '../accounts/end-employee.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  (deps: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeDeletedSchema, event.data);
    if (employee) await endEmployee(deps, employee);
  };
