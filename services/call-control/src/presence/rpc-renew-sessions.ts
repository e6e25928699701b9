import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';

export const renewSessionsRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.renewSessions, ServicePrincipal> =>
  async ({ sessions }) => {
    const leases = await Promise.all(
      sessions.map(async ({ employeeId, sessionId }) => {
        const companyId = (await presences.companyOf(employeeId)) ?? '';
        return { companyId, employeeId, kind: 'registration' as const, id: sessionId };
      }),
    );
    const ended = await presences.renewLeases(leases);
    return { ended: ended.map(({ employeeId, id }) => ({ employeeId, sessionId: id })) };
  };
