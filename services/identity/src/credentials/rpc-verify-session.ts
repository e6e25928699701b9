import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { stageToProto } from '../sessions/session-proto.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const verifySessionRpc =
  ({ verifySession }: CredentialDeps): Handler<typeof CredentialService.method.verifySession, ServicePrincipal> =>
  async (request) => {
    const verified = await verifySession(request.session);
    if (!verified) return {};
    const { session, account, stage } = verified;
    const { companyId, employeeId, name, email } = account;
    return {
      stage: stageToProto[stage],
      name,
      email,
      ...(stage === 'signed_in' && { principal: { companyId, employeeId, credentialId: session.id } }),
    };
  };
