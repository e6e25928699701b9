import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeSignedInSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { recordSignIn } from '../employees/employee.ts';
import { ignoreUnknown } from './on-presence-changed.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeSignedIn =
  ({ employees, clock }: FollowerDeps): EventHandler =>
  async ({ companyId, data }) => {
    const { employeeId } = fromBinary(EmployeeSignedInSchema, data);
    await employees
      .of(companyId)
      .change(employeeId, (current) => recordSignIn(current, clock.now()))
      .catch(ignoreUnknown);
  };
