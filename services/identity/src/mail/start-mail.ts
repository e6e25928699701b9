import type { Activity, Clock } from '@parley/clock';
import type { Life } from '@parley/service';
import type { Logger } from '@parley/telemetry';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Config } from '../config.ts';
import type { InvitationMails } from '../invitations/invitation-store.ts';
import { sendInvitations } from '../invitations/send-invitations.ts';
import { sendNotes } from '../notes/send-notes.ts';
import { answerResetRequests } from '../password-resets/answer-reset-requests.ts';
import type { ResetRequests } from '../password-resets/reset-request-store.ts';
import { smtpMailer } from './mailer.ts';

/** Starts everything that sends e-mail; without a mail server it all waits. Answers how to say that there is one to send. */
export function startMail(
  stores: {
    accounts: Accounts;
    invitationMails: InvitationMails;
    resetRequests: ResetRequests;
    companyRules: CompanyRules;
  },
  around: { config: Config; clock: Clock; activity: Activity; log: Logger; life: Life },
): () => void {
  const { accounts, invitationMails, resetRequests, companyRules } = stores;
  const { config, clock, activity, log, life } = around;
  if (!config.SMTP_URL) return () => {};
  const mailer = smtpMailer(config.SMTP_URL, config.MAIL_FROM);
  life.defer('mailer', () => mailer.close());
  const common = { accounts, send: mailer.send, publicUrl: config.PUBLIC_URL, clock, activity, log };
  const invitations = sendInvitations({ mails: invitationMails, companyRules, ...common });
  life.defer('invitations', () => invitations.stop());
  const invited = () => invitations.nudge();
  const resets = answerResetRequests({ requests: resetRequests, invitationMails, invited, ...common });
  life.defer('password reset requests', () => resets.stop());
  const notes = sendNotes(common);
  life.defer('notes', () => notes.stop());
  return () => [invitations, resets, notes].forEach((work) => work.nudge());
}
