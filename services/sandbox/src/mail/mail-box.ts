import { linksOf } from './links.ts';

/** A mail as one recipient got it. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  /** Null when the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly links: string[];
}

/** Every mail that was sent to anyone, in memory. */
export interface MailBox {
  /** Puts a mail into the box of each recipient of its envelope, so blind copies arrive too. */
  deliver(recipients: readonly string[], mail: Pick<Email, 'subject' | 'text' | 'html'>): void;
  /** Newest first; of one recipient, or of all. */
  emails(to?: string): Email[];
}

/** A box that nobody empties keeps this many mails, the latest. */
const EMAILS_MAX = 10_000;

export function createMailBox(): MailBox {
  const emails: Email[] = [];
  return {
    deliver(recipients, { subject, text, html }) {
      const links = linksOf(text, html);
      for (const to of recipients) emails.push({ to, subject, text, html, links });
      emails.splice(0, emails.length - EMAILS_MAX);
    },
    emails(to) {
      const mine = to === undefined ? emails : emails.filter((email) => sameAddress(email.to, to));
      return mine.toReversed();
    },
  };
}

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
