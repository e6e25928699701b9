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

/** After ten seconds, a minute, ten minutes, and then every hour for as long as the e-mail is of use. */
const RETRY_AFTER_MS = [10_000, 60_000, 600_000];
const RETRY_LATER_MS = 3_600_000;

/** The delay before the next attempt, after `tries` failed ones. */
export function mailRetryMs(tries: number): number {
  return RETRY_AFTER_MS[tries] ?? RETRY_LATER_MS;
}

/** An attempt's lease: longer than the mail server's time limits together. */
export const MAIL_LEASE_MS = 60_000;

const LENGTH_MAX = 100;

/**
 * A name for use in an e-mail: one line, and nothing that mail programs turn into a link. The name of an
 * employee or a company is user input, and the e-mail has our sender.
 */
export function plainName(name: string, lengthMax = LENGTH_MAX): string {
  const line = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return (
    line
      .replaceAll(/[/\\\uff0f\u2044\u2215<>]+/gu, ' ')
      .replaceAll(/[@\uff20\ufe6b]/gu, ' at ')
      // `evil.example` and `mailto:x` are addresses only without the space.
      .replaceAll(/[.:\u3002\uff0e\uff61\ufe52\u2024\uff1a]+(?=\S)/gu, '$& ')
      .replaceAll(/ +/g, ' ')
      .trim()
      .slice(0, lengthMax)
      .trimEnd()
  );
}
