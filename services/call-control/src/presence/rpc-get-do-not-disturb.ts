import type { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { atRiskNumbers } from './do-not-disturb.ts';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

/** An employee without a presence yet has do-not-disturb disabled; the existence of the employee is checked by directory. */
export const getDoNotDisturbRpc =
  ({
    presences,
    routing,
  }: PresenceDeps): Handler<typeof EmployeePresenceService.method.getDoNotDisturb, EmployeePrincipal> =>
  async ({ employeeId }, { principal: { companyId } }) => {
    const own = presences.of(companyId);
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId });
    const group = new Set([employeeId, ...numbers.flatMap((number) => number.incomingCallEmployeeIds)]);
    const known = new Map((await own.list([...group])).map((presence) => [presence.id, presence]));
    const atRisk = atRiskNumbers(employeeId, numbers, (id) => known.get(id)?.status ?? 'logged_out');
    const presence = known.get(employeeId);
    return {
      ...(presence && { presence: presenceToProto(presence) }),
      atRiskNumbers: atRisk.map(({ id, name }) => ({ id, name })),
    };
  };
