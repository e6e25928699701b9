import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

export const setDoNotDisturbRpc =
  ({ presences }: PresenceDeps): Handler<typeof EmployeePresenceService.method.setDoNotDisturb, EmployeePrincipal> =>
  async ({ employeeId, enabled, expiresAt }, { principal: { companyId } }) => {
    const change = enabled
      ? ({ enabled, expiresAt: expiresAt ? timestampDate(expiresAt) : null } as const)
      : ({ enabled: false } as const);
    const presence = await presences.of(companyId).setDoNotDisturb(employeeId, change);
    return { presence: presenceToProto(presence) };
  };
