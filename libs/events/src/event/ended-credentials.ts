import type { EndedCredentials } from '@parley/actor';
import { EndedCredentials as Ended } from '@parley/proto/identity/v1/credential_events_pb';
import type { EventMessage } from './event-types.ts';

/** The credentials that `identity.credential.revoked` ends; undefined when it ends none. */
export function endedCredentials(
  { ended, credentialId }: EventMessage<'identity.credential.revoked'>,
  at: Date,
): EndedCredentials | undefined {
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
