import type { EventHandlers } from '@parley/events';
import { EndedCredentials as Ended } from '@parley/proto/identity/v1/credential_events_pb';
import { type EndedCredentials, endSubscriptions } from './push-subscription.ts';
import type { PushSubscriptions } from './push-subscription-store.ts';

/** Ends the subscriptions that were made with a credential when it ends. */
export function credentialHandlers(subscriptions: PushSubscriptions): EventHandlers {
  // Not followed, these would hold up the end of the same credential.
  const onCreated = async () => {};
  return {
    'identity.credential.revoked': async ({ credentialId, employeeId, ended }, { companyId, occurredAt }) => {
      const what = endedCredentials(ended, credentialId, occurredAt);
      if (what)
        await subscriptions.of(companyId).changeIfExists(employeeId, (current) => endSubscriptions(current, what));
    },
    'identity.api_key.created': onCreated,
    'identity.grant.created': onCreated,
    'identity.employee.signed_in': onCreated,
  };
}

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
