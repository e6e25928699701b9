import type { EventHandler } from '@parley/events';
import { EndedCredentials as Ended } from '@parley/proto/identity/v1/credential_events_pb';
import { type EndedCredentials, endSessionsOf } from '../softphone-sessions/softphone-session.ts';
import type { FollowerDeps } from './follower-deps.ts';

/**
 * Ends the softphone sessions that were made with a credential, and their registrations. A switch that cannot be reached keeps a
 * registration until it expires; the phone cannot refresh it.
 */
export const onCredentialRevoked =
  ({
    softphoneSessions,
    registrations,
    dropRegistration,
    clock,
  }: FollowerDeps): EventHandler<'identity.credential.revoked'> =>
  async ({ credentialId, employeeId, ended }, { companyId, occurredAt }) => {
    const what = endedCredentials(ended, credentialId, occurredAt);
    const own = softphoneSessions.of(companyId);
    if (!what || !(await own.get(employeeId))) return;
    const { outcome } = await own.changeWithOutcome(employeeId, (current) => endSessionsOf(current, what, clock.now()));
    for (const sessionId of outcome) {
      const contacts = await registrations.endOfSession({ id: employeeId, companyId }, sessionId);
      await Promise.allSettled(contacts.map((contact) => dropRegistration(employeeId, contact)));
    }
  };

function endedCredentials(ended: Ended, credentialId: string, at: Date): EndedCredentials | undefined {
  switch (ended) {
    case Ended.ONE:
      return { what: 'one', credentialId };
    case Ended.SESSIONS:
      return { what: 'sessions', at };
    case Ended.ALL:
      return { what: 'all' };
    default:
      return undefined;
  }
}

/** Other events of credentials: not followed, they would hold up the end of the same credential. */
export const onCredentialCreated = async (): Promise<void> => {};
