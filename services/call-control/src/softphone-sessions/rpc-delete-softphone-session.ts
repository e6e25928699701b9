import type { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { revokeSession } from './softphone-session.ts';
import type { SoftphoneSessionDeps } from './softphone-session-deps.ts';

export const deleteSoftphoneSessionRpc =
  ({
    softphoneSessions,
    registrations,
    clock,
    dropRegistration,
  }: SoftphoneSessionDeps): Handler<typeof SoftphoneSessionService.method.deleteSoftphoneSession, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    await softphoneSessions.of(companyId).change(employeeId, (current) => revokeSession(current, id, clock.now()));
    const contacts = await registrations.endOfSession({ id: employeeId, companyId }, id);
    await Promise.allSettled(contacts.map((contact) => dropRegistration(employeeId, contact)));
    return {};
  };
