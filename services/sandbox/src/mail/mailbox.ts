import { linksOf } from './links.ts';

/** A mail as delivered to one recipient. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  /** Null when the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly links: string[];
}

/** Every delivered mail, in memory. */
export type Mailbox = ReturnType<typeof createMailbox>;

/** The latest mails are kept, up to this many. */
const EMAILS_MAX = 10_000;

export function createMailbox() {
  const emails: Email[] = [];
  return {
    /** Delivers a mail to every recipient of its envelope, blind copies included. */
    deliver(recipients: readonly string[], { subject, text, html }: Pick<Email, 'subject' | 'text' | 'html'>): void {
      const links = linksOf(text, html);
      for (const to of recipients) emails.push({ to, subject, text, html, links });
      emails.splice(0, emails.length - EMAILS_MAX);
    },
    /** Newest first; of one recipient, or of all. */
    emails(to?: string): Email[] {
      const mine = to === undefined ? emails : emails.filter((email) => sameAddress(email.to, to));
      return mine.toReversed();
    },
  };
}

const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
