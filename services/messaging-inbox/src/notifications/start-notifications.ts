import { createEgress } from '@parley/egress';
import { decided } from '@parley/errors';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import type { RpcServer } from '@parley/rpc';
import { egressPolicyFrom } from '../config.ts';
import { credentialHandlers } from '../push-subscriptions/push-subscription-events.ts';
import { openPushKey } from '../push-subscriptions/push-key-store.ts';
import { addPushSubscriptionService } from '../push-subscriptions/push-subscription-rpcs.ts';
import { openPushSubscriptions } from '../push-subscriptions/push-subscription-store.ts';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import { notificationHandlers } from './notification-events.ts';
import { addNotificationService } from './notification-rpcs.ts';
import {
  openNotificationSettings,
  openThreadMails,
  openThreadPushes,
  type ThreadMails,
  type ThreadPushes,
} from './notification-store.ts';
import { startThreadMails } from './send-thread-mail.ts';
import { startThreadPushes } from './send-thread-push.ts';
import { onMailTimer } from './thread-mail.ts';

/** What employees are notified of. */
export interface Notifications {
  readonly threadMails: ThreadMails;
  readonly threadPushes: ThreadPushes;
  addServices(server: RpcServer): void;
}

/** Notifies employees of what happens in threads. */
export async function startNotifications(context: ServiceContext, inbox: InboxParts): Promise<Notifications> {
  const { clock, config, db, directory, encryptor, lifecycle, peers, relay } = context;
  const egressPolicy = egressPolicyFrom(config);
  const egress = createEgress(egressPolicy);
  lifecycle.defer('egress to push services', () => egress.close());
  const subscriptions = await openPushSubscriptions(db, encryptor);
  const pushKey = await openPushKey(db, encryptor);
  const settings = await openNotificationSettings(db);
  const threadMails = await openThreadMails({ db, relay, clock });
  const threadPushes = await openThreadPushes({ db, relay, clock });
  const deps = { ...context, ...inbox, settings, mails: threadMails, pushes: threadPushes, subscriptions };
  const identity = peers.identity.client(ThreadMailService);
  context.stopLater('e-mails about threads', startThreadMails({ ...deps, identity }));
  context.stopLater('timers of e-mails about threads', threadMails.startTimers({ mail: onMailTimer }));
  const credentials = peers.identity.client(CredentialService);
  const sending = { ...deps, credentials, egress, pushKey, publicUrl: config.PUBLIC_URL };
  context.stopLater('push messages', startThreadPushes(sending));
  context.stopLater('timers of push messages', threadPushes.startTimers({ end: () => decided(null) }));
  const handlers = notificationHandlers(deps);
  await context.follow({
    name: 'messaging-inbox-notifications',
    handlers,
    // Companies in which nobody wants notifications cost one query for many events.
    relevant: async (events) => {
      const handled = events.filter(({ type }) => type in handlers);
      const companies = await settings.companiesWithAny([...new Set(handled.map(({ companyId }) => companyId))]);
      return events.map(({ type, companyId }) => type in handlers && companies.has(companyId));
    },
  });
  await context.follow({ name: 'messaging-inbox-credentials', handlers: credentialHandlers(subscriptions) });
  return {
    threadMails,
    threadPushes,
    addServices(server) {
      addNotificationService(server, { settings, directory });
      addPushSubscriptionService(server, { subscriptions, publicKey: pushKey.publicKey, egressPolicy, clock });
    },
  };
}
