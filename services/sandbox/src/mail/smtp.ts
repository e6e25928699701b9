import { once } from 'node:events';
import type { Logger } from '@parley/telemetry';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

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
