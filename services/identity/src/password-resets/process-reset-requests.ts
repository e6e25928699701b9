import type { BackgroundWork, Clock } from '@parley/clock';
import { decided, dueIn } from '@parley/errors';
import { digest, newSecret } from '@parley/secrets';
import type { DueWork } from '@parley/aggregates';
import type { Logger } from '@parley/telemetry';
import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { InvitationMails } from '../invitations/invitation-store.ts';
import { MAIL_LEASE_MS, mailRetryMs, plainName, type SendMail } from '../mail/mailer.ts';
import { beginReset, recoveryMethodFor } from './password-reset.ts';
import type { ResetRequest, ResetRequests } from './reset-request-store.ts';
import { type MailText, mailText } from '../mail/mail-text.ts';

/**
 * Processes password reset requests, until the mail server has accepted the e-mail or the request expires. Only here the account of
 * an address is looked up, so that a request takes the same time for every address. A crash between the server's response and our
 * record of it sends a second e-mail, whose link replaces the first.
 */
export function processResetRequests(options: {
  requests: ResetRequests;
  accounts: Accounts;
  invitationMails: InvitationMails;
  /** There is an invitation to send. */
  invited: () => void;
  send: SendMail;
  publicUrl: string;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { requests, accounts, invitationMails, invited, send, publicUrl, clock, backgroundWork, log } = options;

  async function sendLink({ id, companyId, employeeId, email, name }: Account): Promise<void> {
    const token = newSecret('passwordReset');
    await accounts.of(companyId).change(id, (current) => beginReset(current, email, digest(token), clock.now()));
    const link = `${publicUrl}/reset-password?token=${token}`;
    await send({ address: email, employeeId, companyId }, passwordResetText({ name, link }));
  }

  async function handleRequest({ emailKey, expiresAt }: ResetRequest): Promise<void> {
    const account = await accounts.byEmail(emailKey);
    const recoveryMethod = recoveryMethodFor(account);
    if (!account || recoveryMethod === 'none' || expiresAt <= clock.now()) return;
    if (recoveryMethod === 'password_reset') return sendLink(account);
    await invitationMails.planAgain(account, clock.now());
    invited();
  }

  return requests.startDueWork({
    name: 'password reset requests',
    clock,
    backgroundWork,
    log,
    concurrency: 4,
    leaseMs: MAIL_LEASE_MS,
    async handle(request, claim) {
      try {
        await handleRequest(request);
        await claim.finish(() => decided(null));
      } catch (error) {
        log.warn({ err: error, tries: request.tries + 1 }, 'link to a new password not sent; trying again');
        const due = dueIn(clock.now(), mailRetryMs(request.tries));
        await claim.finish(({ tries, ...current }) => decided({ ...current, tries: tries + 1, due }));
      }
    },
  });
}

function passwordResetText({ name, link }: { name: string; link: string }): MailText {
  return mailText({
    subject: 'Choose a new password for Parley',
    paragraphs: [
      `Hello ${plainName(name)},`,
      'A new password was requested for your Parley account. Set it here:',
      link,
      'The link works once, within one hour. If you did not request it, ignore this e-mail: your password does not change.',
    ],
    link,
    action: 'Set a new password',
  });
}
