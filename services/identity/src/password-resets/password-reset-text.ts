import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';

export function passwordResetText({ name, link }: { name: string; link: string }): MailText {
  return mailText({
    subject: 'Choose a new password for Parley',
    paragraphs: [
      `Hello ${plainName(name)},`,
      'A new password was requested for your Parley account. Set it here:',
      link,
      'The link works once, within one hour. If you did not request it, ignore this e-mail: your password does not change.',
    ],
    link,
  });
}
