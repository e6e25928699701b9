import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';

export const renewSessionsRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.renewSessions, ServicePrincipal> =>
  async ({ sessions }) => {
    const held = sessions.map(({ employeeId, sessionId }) => ({ employeeId, kind: 'session' as const, id: sessionId }));
    const ended = await presences.renew(held);
    return { ended: ended.map(({ employeeId, id }) => ({ employeeId, sessionId: id })) };
  };
