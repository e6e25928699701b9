import type { PhoneRegistrationService } from '@parley/proto/call_control/v1/presence_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';

export const listPhoneRegistrationsRpc =
  ({
    presences,
  }: PresenceDeps): Handler<typeof PhoneRegistrationService.method.listPhoneRegistrations, ServicePrincipal> =>
  async ({ employeeId }) => {
    const companyId = await presences.companyOf(employeeId);
    const presence = companyId === undefined ? undefined : await presences.of(companyId).get(employeeId);
    return { callIds: presence?.leases.flatMap(({ contact }) => contact?.callId ?? []) ?? [] };
  };
