import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { presenceToProto } from './presence-proto.ts';
import type { PresenceDeps } from './presence-deps.ts';

export const endSessionRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.endSession, ServicePrincipal> =>
  async ({ employeeId, sessionId }) => {
    const presence = await presences.release(employeeId, { kind: 'session', id: sessionId });
    return presence ? { presence: presenceToProto(presence) } : {};
  };
