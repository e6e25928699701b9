import { decided, refusal, Refused } from '@parley/errors';
import {
  type SendThreadMailRequest,
  type ThreadMailEntry,
  ThreadMailKind,
  ThreadMailService,
} from '@parley/proto/identity/v1/thread_mails_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { plainName, type SendMail } from '../mail/mailer.ts';
import { type MailText, mailText } from '../mail/mail-text.ts';

interface ThreadMailDeps {
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

/** Characters of a voicemail's transcription; the link leads to the rest. */
const TRANSCRIPTION_MAX = 4000;

/** Text of callers, contacts and coworkers is changed so that mail programs do not turn any of it into a link. */
function threadMailText(
  mail: Pick<SendThreadMailRequest, 'phoneNumber' | 'contactName' | 'entries' | 'omitted'>,
  name: string,
  publicUrl: string,
): MailText {
  const { phoneNumber, contactName, entries, omitted } = mail;
  const who = contactName === '' ? phoneNumber : `${plainName(contactName)} (${phoneNumber})`;
  const count = entries.length + omitted;
  const link = `${publicUrl}/dashboard/inbox/${encodeURIComponent(phoneNumber)}`;
  const [first] = entries;
  return mailText({
    subject: count === 1 && first ? titleOf(first, who) : `${count} notifications about ${who}`,
    paragraphs: [
      `Hello ${plainName(name)},`,
      ...(omitted > 0 ? [`The latest ${entries.length} of ${count} notifications about ${who}:`] : []),
      ...entries.flatMap((entry) => [sentenceOf(entry, who), ...transcriptionOf(entry)]),
      link,
      'Your settings in Parley say which of these e-mails you get.',
    ],
    link,
    action: 'Open the conversation',
  });
}

function titleOf({ kind, employeeName }: ThreadMailEntry, who: string): string {
  const coworker = employeeName === '' ? 'A coworker' : plainName(employeeName);
  switch (kind) {
    case ThreadMailKind.MISSED_CALL:
      return `Missed call from ${who}`;
    case ThreadMailKind.VOICEMAIL:
      return `Voicemail from ${who}`;
    case ThreadMailKind.TEXT:
      return `Text from ${who}`;
    case ThreadMailKind.ASSIGNED:
      return `${coworker} has assigned the conversation with ${who} to you`;
    case ThreadMailKind.MENTIONED:
      return `${coworker} has mentioned you in a comment about ${who}`;
    case ThreadMailKind.ASSISTANT:
      return `Message from ${who}, taken by the assistant`;
    case ThreadMailKind.UNSPECIFIED:
      return `News about ${who}`;
  }
}

function sentenceOf(entry: ThreadMailEntry, who: string): string {
  const { businessNumberName, at } = entry;
  const iso = at && timestampDate(at).toISOString();
  const to = businessNumberName === '' ? '' : ` to ${plainName(businessNumberName)}`;
  const when = iso ? `, on ${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC` : '';
  return `${titleOf(entry, who)}${to}${when}.`;
}

function transcriptionOf({ transcription }: ThreadMailEntry): string[] {
  return transcription === '' ? [] : [`“${plainName(transcription, TRANSCRIPTION_MAX)}”`];
}
