import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { newId } from '@parley/ids';
import type { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { newSecret } from '@parley/secrets';
import { a1Hash } from './sip-digest.ts';
import { addSession, SESSION_LIFETIME_MS } from './softphone-session.ts';
import type { SoftphoneSessionDeps } from './softphone-session-deps.ts';
import { a1Context } from './softphone-session-store.ts';

export const createSoftphoneSessionRpc =
  ({
    softphoneSessions,
    encryptor,
    clock,
    sip,
  }: SoftphoneSessionDeps): Handler<typeof SoftphoneSessionService.method.createSoftphoneSession, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId, credentialType, credentialId } }) => {
    const id = newId('sps');
    const password = newSecret('softphone');
    const a1Encrypted = encryptor.encrypt(a1Hash(employeeId, sip.domain, password), a1Context(id));
    const now = clock.now();
    await softphoneSessions
      .of(companyId)
      .upsert(employeeId, (current) =>
        addSession(
          current ?? { id: employeeId, companyId, sessions: [] },
          { id, a1Encrypted, madeWith: { credentialType, credentialId } },
          now,
        ),
      );
    return {
      id,
      sipUri: `sip:${employeeId}@${sip.domain}`,
      username: employeeId,
      password,
      websocketUrl: sip.websocketUrl,
      iceServers: sip.iceServers.map((server) => ({ ...server })),
      expiresAt: timestampFromDate(new Date(now.getTime() + SESSION_LIFETIME_MS)),
    };
  };
