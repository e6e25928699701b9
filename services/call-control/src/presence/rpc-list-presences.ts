import type { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

export const listPresencesRpc =
  ({ presences }: PresenceDeps): Handler<typeof EmployeePresenceService.method.listPresences, EmployeePrincipal> =>
  async ({ employeeIds }, { principal: { companyId } }) => {
    const found = await presences.of(companyId).list(employeeIds.length === 0 ? undefined : employeeIds);
    return { presences: found.map(presenceToProto) };
  };
