import { invalid, Refused } from '@parley/errors';
import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

export const startSessionRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.startSession, ServicePrincipal> =>
  async ({ employeeId, sessionId }) => {
    if (sessionId === '') throw new Refused(invalid({ session_id: ['is required'] }));
    const presence = await presences.register(employeeId, { id: sessionId });
    return { leaseMs: presences.leaseMs, presence: presenceToProto(presence) };
  };
