import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';

export function invitationText(about: { name: string; companyName: string | undefined; link: string }): MailText {
  const inviter = plainName(about.companyName ?? '') || 'Your company';
  return mailText({
    subject: `${inviter} has invited you to Parley`,
    paragraphs: [
      `Hello ${plainName(about.name)},`,
      `${inviter} has invited you to Parley. Choose a password to sign in for the first time:`,
      about.link,
      'The link works once, within seven days. If you did not expect this e-mail, you can ignore it.',
    ],
    link: about.link,
  });
}
