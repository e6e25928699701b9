import type { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { presenceToProto } from './presence-proto.ts';
import type { PresenceDeps } from './presence-deps.ts';

/** As last published, not as of this instant: what readers see and what followers hear never contradict each other. */
export const listPresencesRpc =
  ({ presences }: PresenceDeps): Handler<typeof PresenceService.method.listPresences, ServicePrincipal> =>
  async ({ companyId, employeeIds }) => {
    const found = [];
    for await (const presence of presences.ofCompany(companyId, employeeIds)) found.push(presenceToProto(presence));
    return { presences: found };
  };
