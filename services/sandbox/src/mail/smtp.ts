import { once } from 'node:events';
import type { Logger } from '@parley/telemetry';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { MailBox } from './mail-box.ts';

const MAIL_BYTES_MAX = 25 * 1024 * 1024;
/** How long a client may take to finish its mail while the server stops. */
const CLOSE_TIMEOUT_MS = 1000;

/** A mail server that takes everything for everyone and delivers it into the box. */
export async function listenSmtp(
  address: { host: string; port: number },
  mailBox: MailBox,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const server = new SMTPServer({
    banner: 'Parley sandbox',
    // Nobody signs in here, and a certificate nobody can check would only stop clients that try it.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAIL_BYTES_MAX,
    rejectOversized: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData(stream, { envelope }, callback) {
      const recipients = envelope.rcptTo.map((recipient) => recipient.address);
      // The client hears "250" only when the mail can be found in the box.
      receive(stream, recipients, mailBox).then(() => callback(), callback);
    },
  });
  server.on('error', (error) => log.warn({ err: error }, 'smtp failed'));
  await once(server.listen(address), 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'it is already in use' : error.message;
    throw new Error(`cannot listen on ${address.host}:${address.port}: ${why}`, { cause: error });
  });
  return { stop: () => new Promise((resolve) => server.close(resolve)) };
}

async function receive(stream: SMTPServerDataStream, recipients: readonly string[], mailBox: MailBox): Promise<void> {
  const mail = await simpleParser(stream, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true });
  if (stream.sizeExceeded) return;
  mailBox.deliver(recipients, { subject: mail.subject ?? '', text: mail.text || null, html: mail.html || null });
}
