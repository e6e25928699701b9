import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Refused, refusal } from '@parley/errors';
import type { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { hasRole } from '@parley/roles';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

export const setDoNotDisturbRpc =
  ({ presences }: PresenceDeps): Handler<typeof EmployeePresenceService.method.setDoNotDisturb, EmployeePrincipal> =>
  async ({ employeeId, enabled, expiresAt }, { principal }) => {
    // A member for oneself only; decided before the employee is looked up.
    if (employeeId !== principal.employeeId && !hasRole(principal.role, 'admin'))
      throw new Refused(refusal('forbidden', 'forbidden'));
    const change = enabled
      ? ({ enabled, expiresAt: expiresAt ? timestampDate(expiresAt) : null } as const)
      : ({ enabled: false } as const);
    const presence = await presences.of(principal.companyId).setDoNotDisturb(employeeId, change);
    return { presence: presenceToProto(presence) };
  };
