import { createTransport } from 'nodemailer';
import type { MailText } from './mail-text.ts';

/** Sends an e-mail; resolves when the mail server has accepted it. */
export type SendMail = (recipient: MailRecipient, mail: MailText) => Promise<void>;

export interface MailRecipient {
  readonly address: string;
  readonly employeeId: string;
  readonly companyId: string;
}

const TIMEOUT_MS = 10_000;

export function smtpMailer(url: string, from: string): { send: SendMail; close(): void } {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...timeouts }, { from });
  return {
    async send({ address }, { subject, text, html }) {
      // An object, not a string: nothing in an address can become a second one.
      await transport.sendMail({ to: { name: '', address }, subject, text, html });
    },
    close: () => transport.close(),
  };
}
