import { once } from 'node:events';
import { Parser } from 'htmlparser2';
import { type Endpoint, endpoint, json } from '@parley/http';
import { z } from 'zod';
import type { Logger } from '@parley/telemetry';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** A mail as delivered to one recipient. */
interface Email {
  readonly to: string;
  readonly subject: string;
  /** Null when the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  readonly links: string[];
}

/** Every delivered mail, in memory. */
type Mailbox = ReturnType<typeof createMailbox>;

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

const WEB_ADDRESS = /https?:\/\/[^\s<>"]+/gi;
/** Punctuation after an address that is not part of it. */
const AFTER_SENTENCE = /[.,;:!?'…]+$/;

/** The web addresses of a mail, each once: those of the text first, then those of the HTML, in reading order. */
export function linksOf(text: string | null, html: string | null): string[] {
  return [...new Set([...linksOfText(text ?? ''), ...linksOfHtml(html ?? '')])];
}

function linksOfText(text: string): string[] {
  return (text.match(WEB_ADDRESS) ?? []).map(withoutPunctuation);
}

function linksOfHtml(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'a' && href && /^https?:\/\//i.test(href.trim())) links.push(href.trim());
    },
  });
  parser.end(html);
  return links;
}

/** Removes trailing punctuation; a closing bracket belongs to the address only if it was opened in it. */
function withoutPunctuation(address: string): string {
  let link = address.replace(AFTER_SENTENCE, '');
  for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair] as [string, string])) {
    while (link.endsWith(close) && link.split(close).length > link.split(open).length) {
      link = link.slice(0, -1).replace(AFTER_SENTENCE, '');
    }
  }
  return link;
}

const emailJson = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  links: z.array(z.string()),
});

export function mailEndpoints({ mailbox }: { mailbox: Mailbox }): Endpoint<undefined>[] {
  const list = endpoint('none')({
    route: 'GET /emails',
    tag: 'Mail',
    summary: 'List delivered mail',
    // An unencoded plus sign arrives as a space, and addresses contain no spaces.
    query: z.object({
      to: z
        .string()
        .transform((to) => to.trim().replaceAll(' ', '+'))
        .optional(),
    }),
    responses: { 200: z.array(emailJson) },
    handle: ({ query }) => json(200, mailbox.emails(query.to)),
  });

  return [list];
}

const MAIL_BYTES_MAX = 25 * 1024 * 1024;
/** The longest time a client may take to finish its mail while the server stops. */
const CLOSE_TIMEOUT_MS = 1000;

/** An SMTP server that accepts every mail and delivers it to the mailbox. */
export async function listenSmtp(
  address: { host: string; port: number },
  mailbox: Mailbox,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const server = new SMTPServer({
    banner: 'Parley sandbox',
    // There are no accounts, and clients that try STARTTLS could not verify the certificate.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAIL_BYTES_MAX,
    rejectOversized: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData(stream, { envelope }, callback) {
      const recipients = envelope.rcptTo.map((recipient) => recipient.address);
      // The client gets 250 only once the mail can be listed.
      receive(stream, recipients, mailbox).then(() => callback(), callback);
    },
  });
  server.on('error', (error) => log.warn({ err: error }, 'smtp failed'));
  await once(server.listen(address), 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'it is already in use' : error.message;
    throw new Error(`cannot listen on ${address.host}:${address.port}: ${why}`, { cause: error });
  });
  return { stop: () => new Promise((resolve) => server.close(resolve)) };
}

async function receive(stream: SMTPServerDataStream, recipients: readonly string[], mailbox: Mailbox): Promise<void> {
  const mail = await simpleParser(stream, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true });
  if (stream.sizeExceeded) return;
  mailbox.deliver(recipients, { subject: mail.subject ?? '', text: mail.text || null, html: mail.html || null });
}
