import { type MailText, mailText } from '../mail/mail-text.ts';

export function passwordResetText({ name, link }: { name: string; link: string }): MailText {
  return mailText({
    subject: 'Choose a new password for Parley',
    paragraphs: [
      `Hello ${name},`,
      'Somebody, probably you, asked for a new password for your Parley account. Choose it here:',
      link,
      'The link works once, within one hour. If you did not ask for it, you can ignore this e-mail: your password stays as it is.',
    ],
    link,
  });
}

export function passwordNoteText(about: { name: string; changedAt: Date; signInUrl: string }): MailText {
  const when = about.changedAt.toISOString();
  return mailText({
    subject: 'Your Parley password was changed',
    paragraphs: [
      `Hello ${about.name},`,
      `Your Parley password was changed by a link from an e-mail to you, on ${when.slice(0, 10)} at ${when.slice(11, 16)} UTC. Every browser has to sign in again; API keys and connected apps go on working.`,
      'If that was not you, somebody else can read your e-mail. Secure your mailbox first, then choose another password here, and revoke the API keys and connected apps that you do not know:',
      about.signInUrl,
    ],
    link: about.signInUrl,
  });
}
