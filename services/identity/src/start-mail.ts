import type { BackgroundWork, Clock } from '@parley/clock';
import type { Lifecycle } from '@parley/service';
import type { Logger } from '@parley/telemetry';
import type { Accounts } from './accounts/account-store.ts';
import type { CompanyRules } from './companies/company-rules-store.ts';
import type { Config } from './config.ts';
import type { InvitationMails } from './invitations/invitation-store.ts';
import { sendInvitations } from './invitations/send-invitations.ts';
import { sendNotifications } from './accounts/send-notifications.ts';
import { processResetRequests } from './password-resets/process-reset-requests.ts';
import type { ResetRequests } from './password-resets/reset-request-store.ts';
import type { Throttles } from './throttles/throttle-store.ts';
import { limitMails, limitThreadMails } from './mail/limit-mails.ts';
import { smtpMailer } from './mail/mailer.ts';

/** Starts everything that sends e-mail; without a mail server it waits. */
export function startMail(
  stores: {
    accounts: Accounts;
    invitationMails: InvitationMails;
    resetRequests: ResetRequests;
    companyRules: CompanyRules;
    throttles: Throttles;
  },
  around: { config: Config; clock: Clock; backgroundWork: BackgroundWork; log: Logger; lifecycle: Lifecycle },
) {
  const { accounts, invitationMails, resetRequests, companyRules, throttles } = stores;
  const { config, clock, backgroundWork, log, lifecycle } = around;
  if (!config.SMTP_URL) return { wake: () => {}, sendThreadMail: undefined };
  const mailer = smtpMailer(config.SMTP_URL, config.MAIL_FROM);
  lifecycle.defer('mailer', () => mailer.close());
  const send = limitMails(mailer.send, throttles);
  const common = { accounts, send, publicUrl: config.PUBLIC_URL, clock, backgroundWork, log };
  const invitations = sendInvitations({ mails: invitationMails, companyRules, ...common });
  lifecycle.defer('invitations', () => invitations.stop());
  const invited = () => invitations.pollNow();
  const resets = processResetRequests({ requests: resetRequests, invitationMails, invited, ...common });
  lifecycle.defer('password reset requests', () => resets.stop());
  const notifications = sendNotifications(common);
  lifecycle.defer('notifications', () => notifications.stop());
  return {
    /** There are new e-mails to send. */
    wake: () => [invitations, resets, notifications].forEach((work) => work.pollNow()),
    /** Undefined without a mail server. */
    sendThreadMail: limitThreadMails(mailer.send, throttles),
  };
}
