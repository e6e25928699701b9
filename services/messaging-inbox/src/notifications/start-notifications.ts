import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import { decided } from '@parley/errors';
import type { Channel } from '@parley/rpc';
import type { StatefulService } from '@parley/service';
import { credentialHandlers } from '../push-subscriptions/push-subscription-events.ts';
import { type NotificationEventDeps, notificationHandlers } from './notification-events.ts';
import {
  openNotificationSettings,
  openThreadMails,
  openThreadPushes,
  type SettingsStore,
  type ThreadMails,
  type ThreadPushes,
} from './notification-store.ts';
import { type SendThreadMailDeps, startThreadMails } from './send-thread-mail.ts';
import { type SendThreadPushDeps, startThreadPushes } from './send-thread-push.ts';
import { onMailTimer } from './thread-mail.ts';

type Around = Omit<
  NotificationEventDeps & SendThreadMailDeps & SendThreadPushDeps,
  'settings' | 'mails' | 'pushes' | 'identity' | 'credentials' | 'clock' | 'telemetry'
>;

/** Notifies employees of what happens in threads. */
export async function startNotifications(
  service: StatefulService<string, true>,
  around: Around & { readonly identity: Channel },
): Promise<{ settings: SettingsStore; threadMails: ThreadMails; threadPushes: ThreadPushes }> {
  const { clock, db, relay } = service;
  const settings = await openNotificationSettings(db);
  const threadMails = await openThreadMails({ db, relay, clock });
  const threadPushes = await openThreadPushes({ db, relay, clock });
  const deps = { ...around, settings, mails: threadMails, pushes: threadPushes, clock };
  const identity = around.identity.client(ThreadMailService);
  service.stopLater('e-mails about threads', startThreadMails({ ...deps, identity }));
  service.stopLater('timers of e-mails about threads', threadMails.startTimers({ mail: onMailTimer }));
  const credentials = around.identity.client(CredentialService);
  service.stopLater('push messages', startThreadPushes({ ...deps, credentials, telemetry: service.telemetry }));
  service.stopLater('timers of push messages', threadPushes.startTimers({ end: () => decided(null) }));
  const handlers = notificationHandlers(deps);
  await service.follow({
    name: 'messaging-inbox-notifications',
    handlers,
    // Companies in which nobody wants notifications cost one query for many events.
    relevant: async (events) => {
      const handled = events.filter(({ type }) => type in handlers);
      const companies = await settings.companiesWithAny([...new Set(handled.map(({ companyId }) => companyId))]);
      return events.map(({ type, companyId }) => type in handlers && companies.has(companyId));
    },
  });
  await service.follow({ name: 'messaging-inbox-credentials', handlers: credentialHandlers(around.subscriptions) });
  return { settings, threadMails, threadPushes };
}
