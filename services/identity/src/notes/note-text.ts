import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';
import type { Note } from './note.ts';

export function noteText(note: Pick<Note, 'about' | 'at'>, name: string, signInUrl: string): MailText {
  const iso = note.at.toISOString();
  const when = `on ${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;
  return note.about === 'password' ? passwordText(name, when, signInUrl) : addressText(name, when);
}

function passwordText(name: string, when: string, signInUrl: string): MailText {
  return mailText({
    subject: 'Your Parley password was changed',
    paragraphs: [
      `Hello ${plainName(name)},`,
      `Your Parley password was changed by a link from an e-mail to you, ${when}. Every browser has to sign in again; API keys and connected apps go on working.`,
      'If that was not you, somebody else can read your e-mail. Secure your mailbox first, then choose another password here, and revoke the API keys and connected apps that you do not know:',
      signInUrl,
    ],
    link: signInUrl,
  });
}

function addressText(name: string, when: string): MailText {
  return mailText({
    subject: 'The e-mail address of your Parley account was changed',
    paragraphs: [
      `Hello ${plainName(name)},`,
      `Your company has changed the e-mail address of your Parley account, ${when}. From now on you sign in with the new one, and e-mails go there instead of here.`,
      'If you did not expect this, tell your company at once: whoever reads the new mailbox can choose a new password for your account.',
    ],
  });
}
