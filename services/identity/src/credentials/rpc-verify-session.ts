import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { stageToProto } from '../sessions/session-proto.ts';
import { principalOf } from './credential-principal.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const verifySessionRpc =
  ({
    verifySession,
    currentAccount,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifySession, ServicePrincipal> =>
  async (request) => {
    const verified = await verifySession(request.session);
    if (!verified) return {};
    const { session, stage } = verified;
    const account = await currentAccount(verified.account.employeeId, verified.account);
    if (!account) return {};
    const { name, email, unconfirmedEmail } = account;
    return {
      stage: stageToProto[stage],
      name,
      email,
      unconfirmedEmail: unconfirmedEmail?.email ?? '',
      emailChange: BigInt(unconfirmedEmail?.change ?? 0),
      ...(stage === 'signed_in' && { principal: principalOf(account, 'session', { id: session.id, name: '' }) }),
    };
  };
