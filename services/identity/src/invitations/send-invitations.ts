import type { BackgroundWork, Clock } from '@parley/clock';
import { decided, dueIn } from '@parley/errors';
import { digest, newSecret } from '@parley/secrets';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import { accountIdOf, invite } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { MAIL_LEASE_MS, mailRetryMs } from '../mail/mail-retries.ts';
import type { SendMail } from '../mail/mailer.ts';
import type { InvitationMail, InvitationMails } from './invitation-store.ts';
import { type MailText, mailText } from '../mail/mail-text.ts';
import { plainName } from '../mail/plain-name.ts';

/**
 * Sends invitations until the mail server has taken them. A crash between the server's answer and our note of it sends
 * a second e-mail; the links of both work, and the first one used invalidates the other.
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

  async function deliver(mail: InvitationMail): Promise<void> {
    const account = await accounts.byEmployee(mail.id);
    if (!account || account.firstSignInAt || mail.expiresAt <= clock.now()) return;
    const token = newSecret('invitation');
    await accounts
      .of(mail.companyId)
      .change(accountIdOf(mail.id), (current) => invite(current, account.email, digest(token), mail.expiresAt));
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
    concurrency: 4,
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
