import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { presenceToProto } from './presence-proto.ts';

export const endSessionRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.endSession, ServicePrincipal> =>
  async ({ employeeId, sessionId }) => {
    const companyId = await presences.companyOf(employeeId);
    if (companyId === undefined) return {};
    const presence = await presences.of(companyId).endLease(employeeId, { kind: 'registration', id: sessionId });
    return presence ? { presence: presenceToProto(presence) } : {};
  };
