import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import { digest, newSecret } from '@parley/secrets';
import { noteConfirmationLink } from './email-confirmation.ts';
import { type Account, emailKeyOf, isOpen } from './account.ts';
import type { Accounts } from './account-store.ts';
import { MAIL_LEASE_MS, plainName, type SendMail } from '../mail/mailer.ts';
import {
  type AccountNotification,
  type Alert,
  endNotification,
  nextNotification,
  postponeNotification,
  rescheduleNotifications,
} from '../notifications/notification.ts';
import { type MailText, mailText } from '../mail/mail-text.ts';

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
      const isOfEarlier =
        notification?.about === 'unconfirmed_address' &&
        (!account.unconfirmedEmail || emailKeyOf(notification.to) !== account.emailKey);
      if (notification && (isOfEarlier || !isOpen(account))) {
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

/** `unconfirmed`: the new address, and the link to confirm it. */
function notificationText(
  notification: Pick<AccountNotification, 'about' | 'at' | 'alert'>,
  name: string,
  { signInUrl, unconfirmed }: { signInUrl: string; unconfirmed?: { email: string; link: string } | undefined },
): MailText {
  const iso = notification.at.toISOString();
  const when = `on ${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
  if (notification.alert) return alertText(name, when, notification.alert);
  if (unconfirmed) return unconfirmedAddressText(name, when, unconfirmed);
  return notification.about === 'password' ? passwordText(name, when, signInUrl) : addressText(name, when);
}

function alertText(name: string, when: string, { subject, text }: Alert): MailText {
  return mailText({ subject, paragraphs: [`Hello ${plainName(name)},`, text, `This happened ${when}.`] });
}

function unconfirmedAddressText(
  name: string,
  when: string,
  { email, link }: { email: string; link: string },
): MailText {
  return mailText({
    subject: 'Confirm the new e-mail address of your Parley account',
    paragraphs: [
      `Hello ${plainName(name)},`,
      `Your company has changed the e-mail address of your Parley account to ${email}, ${when}. Until you confirm it, you sign in with the old one as before. Confirm it here:`,
      link,
      'The link works for seven days. If you did not expect this, do not confirm, and contact your company: whoever reads e-mails to the new address can set a new password once it is confirmed.',
    ],
    link,
    action: 'Confirm the address',
  });
}

function passwordText(name: string, when: string, signInUrl: string): MailText {
  return mailText({
    subject: 'Your Parley password was changed',
    paragraphs: [
      `Hello ${plainName(name)},`,
      `Your Parley password was changed by a link from an e-mail to you, ${when}. All sessions have ended; API keys and connected apps stay valid.`,
      'If that was not you, another person can read your e-mail. Secure your mailbox first, then choose another password here, and revoke the API keys and connected apps that you do not recognise:',
      signInUrl,
    ],
    link: signInUrl,
    action: 'Choose another password',
  });
}

function addressText(name: string, when: string): MailText {
  return mailText({
    subject: 'The e-mail address of your Parley account was changed',
    paragraphs: [
      `Hello ${plainName(name)},`,
      `The e-mail address of your Parley account was changed, ${when}. From now on you sign in with the new one, and e-mails go there instead of here.`,
      'If you did not expect this, contact your company immediately: a link to set a new password can now be sent to the new address.',
    ],
  });
}
