import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';
import type { AccountNotification, CallAlert } from './notification.ts';

/** `unconfirmed`: the new address, and the link to confirm it. */
export function notificationText(
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

function alertText(name: string, when: string, { subject, text }: CallAlert): MailText {
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
