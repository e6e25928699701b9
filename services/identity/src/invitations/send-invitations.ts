import type { BackgroundWork, Clock } from '@parley/clock';
import { decided, dueIn, Refused } from '@parley/errors';
import { digest, newSecret } from '@parley/secrets';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import { type Account, accountIdOf, invite } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { MAIL_LEASE_MS, mailRetryMs, plainName, type SendMail } from '../mail/mailer.ts';
import type { InvitationMail, InvitationMails } from './invitation-store.ts';
import { type MailText, mailText } from '../mail/mail-text.ts';

/**
 * Sends invitations until the mail server has taken them. A crash between the server's answer and our note of it sends
 * a second e-mail; the links of both work, and the first one used invalidates the other. What is being sent when the address changes
 * still arrives at the earlier one, with a link that does not work.
 */
export function sendInvitations(options: {
  mails: InvitationMails;
  accounts: Accounts;
  companyRules: CompanyRules;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { mails, accounts, companyRules, send, publicUrl, clock, backgroundWork, log } = options;

  /** The link is noted before it is sent; undefined when the invitation is of no use any more. */
  async function noteLink(mail: InvitationMail, token: string): Promise<Account | undefined> {
    if (mail.expiresAt <= clock.now()) return undefined;
    try {
      return await accounts
        .of(mail.companyId)
        .change(accountIdOf(mail.id), (current) => invite(current, mail, digest(token)));
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  async function deliver(mail: InvitationMail): Promise<void> {
    const token = newSecret('invitation');
    const account = await noteLink(mail, token);
    if (!account) return;
    const companyName = await companyRules.nameOf(mail.companyId);
    const link = `${publicUrl}/invitation?token=${token}`;
    const recipient = { address: account.email, employeeId: mail.id, companyId: mail.companyId };
    await send(recipient, invitationText({ name: account.name, companyName, link }));
  }

  return mails.startDueWork({
    name: 'invitations',
    clock,
    backgroundWork,
    log,
    // A slow mail server holds each of them up for seconds.
    concurrency: 10,
    leaseMs: MAIL_LEASE_MS,
    async handle(mail, claim) {
      try {
        await deliver(mail);
        await claim.finish(({ tries, ...current }) =>
          decided({ ...current, tries: tries + 1, sentAt: clock.now(), due: null }),
        );
      } catch (error) {
        log.warn({ err: error, employee: mail.id, tries: mail.tries + 1 }, 'invitation not sent; trying again');
        const due = dueIn(clock.now(), mailRetryMs(mail.tries));
        await claim.finish(({ tries, ...current }) => decided({ ...current, tries: tries + 1, due }));
      }
    },
  });
}

function invitationText(about: { name: string; companyName: string | undefined; link: string }): MailText {
  const inviter = plainName(about.companyName ?? '') || 'Your company';
  return mailText({
    subject: `${inviter} has invited you to Parley`,
    paragraphs: [
      `Hello ${plainName(about.name)},`,
      `${inviter} has invited you to Parley. Choose a password to sign in for the first time:`,
      about.link,
      'The link works once, within seven days. If you did not expect this e-mail, you can ignore it.',
    ],
    link: about.link,
    action: 'Choose a password',
  });
}
