import type { EventHandler } from '@parley/events';
import { employeeFromProto } from '../employees/employee-proto.ts';
import type { FollowerDeps } from './follower-deps.ts';

/** Both events carry the whole record. */
export const onEmployeeChanged =
  ({ presences }: FollowerDeps): EventHandler<'directory.employee.created' | 'directory.employee.updated'> =>
  async ({ employee }) => {
    if (employee) await presences.of(employee.companyId).recordEmployee(employee.id, employeeFromProto(employee));
  };
