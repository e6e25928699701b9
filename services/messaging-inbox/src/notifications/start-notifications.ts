import { ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import type { Channel } from '@parley/rpc';
import type { StatefulService } from '@parley/service';
import { type NotificationEventDeps, notificationHandlers } from './notification-events.ts';
import {
  openNotificationSettings,
  openThreadMails,
  type SettingsStore,
  type ThreadMails,
} from './notification-store.ts';
import { type SendThreadMailDeps, startThreadMails } from './send-thread-mail.ts';
import { onMailTimer } from './thread-mail.ts';

type Around = Omit<NotificationEventDeps & SendThreadMailDeps, 'settings' | 'mails' | 'identity' | 'clock'>;

/** Notifies employees of what happens in threads. */
export async function startNotifications(
  service: StatefulService<string, true>,
  around: Around & { readonly identity: Channel },
): Promise<{ settings: SettingsStore; threadMails: ThreadMails }> {
  const { clock, db, relay } = service;
  const settings = await openNotificationSettings(db);
  const threadMails = await openThreadMails({ db, relay, clock });
  const deps = { ...around, settings, mails: threadMails, clock };
  const identity = around.identity.client(ThreadMailService);
  service.stopLater('e-mails about threads', startThreadMails({ ...deps, identity }));
  service.stopLater('timers of e-mails about threads', threadMails.startTimers({ mail: onMailTimer }));
  const handlers = notificationHandlers(deps);
  await service.follow({
    name: 'messaging-inbox-notifications',
    handlers,
    // Companies in which nobody wants notifications cost one query for many events.
    relevant: async (events) => {
      const companies = await settings.companiesWithAny([...new Set(events.map(({ companyId }) => companyId))]);
      return events.map(({ type, companyId }) => type in handlers && companies.has(companyId));
    },
  });
  return { settings, threadMails };
}
