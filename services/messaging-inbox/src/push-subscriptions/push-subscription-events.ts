import { endedCredentials, type EventHandlers } from '@parley/events';
import { endSubscriptions } from './push-subscription.ts';
import type { PushSubscriptions } from './push-subscription-store.ts';

/** Ends the subscriptions that were made with a credential when it ends. */
export function credentialHandlers(subscriptions: PushSubscriptions): EventHandlers {
  // Not followed, these would delay the end of the same credential.
  const onCreated = async () => {};
  return {
    'identity.credential.revoked': async (revoked, { companyId, occurredAt }) => {
      const ended = endedCredentials(revoked, occurredAt);
      if (ended)
        await subscriptions
          .of(companyId)
          .changeIfExists(revoked.employeeId, (current) => endSubscriptions(current, ended));
    },
    'identity.api_key.created': onCreated,
    'identity.grant.created': onCreated,
    'identity.employee.signed_in': onCreated,
  };
}
