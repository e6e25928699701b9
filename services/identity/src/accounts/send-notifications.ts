import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import { digest, newSecret } from '@parley/secrets';
import { noteConfirmationLink } from './email-confirmation.ts';
import { type Account, emailKeyOf } from './account.ts';
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

  /** The link is noted before it is sent. */
  async function newLink({ id, companyId, unconfirmedEmail }: Account) {
    const token = newSecret('emailConfirmation');
    const change = unconfirmedEmail?.change ?? 0;
    const { unconfirmedEmail: noted } = await accounts
      .of(companyId)
      .change(id, (current) => noteConfirmationLink(current, change, digest(token), clock.now()));
    return { email: noted?.email ?? '', link: `${publicUrl}/confirm-address?token=${token}` };
  }

  return accounts.startDueWork({
    name: 'notifications',
    clock,
    backgroundWork,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle(account, claim) {
      const notification = nextNotification(account);
      // A link for the current change must not go to an address that is not the employee's any more.
      const isObsolete =
        notification?.about === 'unconfirmed_address' &&
        (!account.unconfirmedEmail || emailKeyOf(notification.to) !== account.emailKey);
      if (isObsolete) {
        await claim.finish((current) => decided(endNotification(current, notification, clock.now())));
        return;
      }
      if (!notification) {
        await claim.finish((current) => decided(rescheduleNotifications(current, clock.now())));
        return;
      }
      try {
        const { employeeId, companyId } = account;
        const unconfirmed = notification.about === 'unconfirmed_address' ? await newLink(account) : undefined;
        await send(
          { address: notification.to, employeeId, companyId },
          notificationText(notification, account.name, { signInUrl: `${publicUrl}/signin`, unconfirmed }),
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
