import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { newId, type Encryptor, newSecret } from '@parley/secrets';
import { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { RegisteredContact } from '../presence/presence.ts';
import type { Registrations } from '../presence/registrations.ts';
import { iceServersOf } from './ice-servers.ts';
import { a1Hash } from './sip-digest.ts';
import { addSession, revokeSession, SESSION_LIFETIME_MS } from './softphone-session.ts';
import { a1Context, type SoftphoneSessions } from './softphone-session-store.ts';

/** The registration settings of phones. */
interface SipSettings {
  readonly domain: string;
  readonly websocketUrl: string;
  readonly iceServers: Parameters<typeof iceServersOf>[0];
}

interface SoftphoneSessionDeps {
  readonly softphoneSessions: SoftphoneSessions;
  readonly registrations: Registrations;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly sip: SipSettings;
  /** Removes a registration from a switch. A failure does not fail the revocation: the phone cannot refresh. */
  readonly dropRegistration: (employeeId: string, contact: RegisteredContact) => Promise<void>;
}

/** Every RPC of the contract. */
export function addSoftphoneSessionService(server: RpcServer, deps: SoftphoneSessionDeps): void {
  const { softphoneSessions, registrations, encryptor, clock, machineClock, sip, dropRegistration } = deps;
  server.add(SoftphoneSessionService, employees.withRole('member'), {
    async createSoftphoneSession(_request, { principal: { companyId, employeeId, credentialType, credentialId } }) {
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
        iceServers: iceServersOf(sip.iceServers, employeeId, machineClock.now()),
        expiresAt: timestampFromDate(new Date(now.getTime() + SESSION_LIFETIME_MS)),
      };
    },
    async deleteSoftphoneSession({ id }, { principal: { companyId, employeeId } }) {
      await softphoneSessions.of(companyId).change(employeeId, (current) => revokeSession(current, id, clock.now()));
      const contacts = await registrations.endOfSession({ id: employeeId, companyId }, id);
      await Promise.allSettled(contacts.map((contact) => dropRegistration(employeeId, contact)));
      return {};
    },
  });
}
