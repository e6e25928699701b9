import { EmployeePresenceService, PhoneRegistrationService } from '@parley/proto/call_control/v1/presence_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { getDoNotDisturbRpc } from './rpc-get-do-not-disturb.ts';
import { listPhoneRegistrationsRpc } from './rpc-list-phone-registrations.ts';
import { listPresencesRpc } from './rpc-list-presences.ts';
import { setDoNotDisturbRpc } from './rpc-set-do-not-disturb.ts';

/** Every RPC of the contracts and the file of its handler. */
export function addPresenceServices(server: RpcServer, deps: PresenceDeps): void {
  server.add(EmployeePresenceService, employees.withRole('member'), {
    listPresences: listPresencesRpc(deps),
    getDoNotDisturb: getDoNotDisturbRpc(deps),
    setDoNotDisturb: setDoNotDisturbRpc(deps),
  });
  server.add(PhoneRegistrationService, services('sandbox'), {
    listPhoneRegistrations: listPhoneRegistrationsRpc(deps),
  });
}
