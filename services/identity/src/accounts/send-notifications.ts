import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { DueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Accounts } from './account-store.ts';
import { MAIL_LEASE_MS } from '../mail/mail-retries.ts';
import type { SendMail } from '../mail/mailer.ts';
import {
  endNotification,
  nextNotification,
  postponeNotification,
  rescheduleNotifications,
} from '../notifications/notification.ts';
import { notificationText } from '../notifications/notification-text.ts';

/** Sends employees e-mails about changes of their accounts; a crash after sending can cause a duplicate. */
export function sendNotifications(options: {
  accounts: Accounts;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { accounts, send, publicUrl, clock, backgroundWork, log } = options;
  return accounts.startDueWork({
    name: 'notifications',
    clock,
    backgroundWork,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle(account, claim) {
      const notification = nextNotification(account);
      if (!notification) {
        await claim.finish((current) => decided(rescheduleNotifications(current, clock.now())));
        return;
      }
      try {
        const { employeeId, companyId } = account;
        await send(
          { address: notification.to, employeeId, companyId },
          notificationText(notification, account.name, `${publicUrl}/signin`),
        );
        await claim.finish((current) => decided(endNotification(current, notification, clock.now())));
      } catch (error) {
        log.warn(
          { err: error, account: account.id, tries: notification.tries + 1 },
          'notification not sent; trying again',
        );
        await claim.finish((current) => decided(postponeNotification(current, notification, clock.now())));
      }
    },
  });
}
