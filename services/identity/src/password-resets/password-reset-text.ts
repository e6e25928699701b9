import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';

export function passwordResetText({ name, link }: { name: string; link: string }): MailText {
  return mailText({
    subject: 'Choose a new password for Parley',
    paragraphs: [
      `Hello ${plainName(name)},`,
      'Somebody, probably you, asked for a new password for your Parley account. Choose it here:',
      link,
      'The link works once, within one hour. If you did not ask for it, you can ignore this e-mail: your password stays as it is.',
    ],
    link,
  });
}
