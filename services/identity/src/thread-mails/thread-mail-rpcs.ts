import { decided, Refused, refusal } from '@parley/errors';
import { ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { SendMail } from '../mail/mailer.ts';
import { threadMailText } from './thread-mail-text.ts';

export interface ThreadMailDeps {
  readonly accounts: Accounts;
  readonly companyRules: Pick<CompanyRules, 'isSuspended'>;
  /** Undefined without a mail server. */
  readonly sendThreadMail: SendMail | undefined;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** Never sent as a response of the API. */
const notSent = refusal('provider_unavailable', 'the e-mail was not sent');

/** One employee gets fewer in the time in which one is repeated. */
const KNOWN_MAX = 50;

/**
 * Sends e-mails about threads while their sender waits, and stores nothing of them: the sender keeps what is not sent yet and
 * removes it when the person is erased. A crash between the mail server's answer and the note of it can cause a duplicate.
 */
export function addThreadMailService(server: RpcServer, deps: ThreadMailDeps): void {
  const { accounts, companyRules, sendThreadMail, publicUrl, log } = deps;
  server.add(ThreadMailService, services('messaging-inbox'), {
    async sendThreadMail(mail) {
      const { id, companyId, employeeId } = mail;
      const account = await accounts.byEmployee(employeeId);
      if (account?.companyId !== companyId || isSent(account, id) || (await companyRules.isSuspended(companyId)))
        return {};
      if (!sendThreadMail) throw new Refused(notSent);
      const text = threadMailText(mail, account.name, publicUrl);
      try {
        await sendThreadMail({ address: account.email, employeeId, companyId }, text);
      } catch (error) {
        log.warn({ err: error, account: account.id }, 'e-mail about a thread not sent');
        throw new Refused(notSent);
      }
      await accounts.of(companyId).changeIfExists(account.id, (current) => decided(noteSent(current, id)));
      return {};
    },
  });
}

function isSent({ threadMails }: Account, id: string): boolean {
  return threadMails.includes(id);
}

function noteSent(account: Account, id: string): Account {
  return { ...account, threadMails: [...account.threadMails, id].slice(-KNOWN_MAX) };
}
