import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { decided } from '@parley/errors';
import type { CommandContext, RunningCommands } from '@parley/aggregates';
import { ThreadMailKind, type ThreadMailService } from '@parley/proto/identity/v1/thread_mails_pb';
import type { RpcClient } from '@parley/rpc';
import type { NotificationDeps } from './notification-store.ts';
import { type MailedItem, mailSent } from './thread-mail.ts';

/** An e-mail that no mail server takes is not sent after this time. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Longer than the mail server's time limits together. */
const timeoutMs = 45_000;

const mailKinds = {
  missed_call: ThreadMailKind.MISSED_CALL,
  voicemail: ThreadMailKind.VOICEMAIL,
  text: ThreadMailKind.TEXT,
  assistant: ThreadMailKind.ASSISTANT,
} as const;

/** Sends what is planned. Names and what was said are read when it is sent, so nothing of them is stored with the plan. */
export function startThreadMails(
  deps: NotificationDeps & { readonly identity: RpcClient<typeof ThreadMailService> },
): RunningCommands {
  const { mails, settings, contacts, numbers, directory, spoken, identity, clock } = deps;

  /** What a voicemail says, or a message that an assistant took; of a callback without a message what the call was about. */
  async function wordsOf(companyId: string, kind: MailedItem['kind'], itemId: string): Promise<string | undefined> {
    if (kind === 'voicemail') return spoken.transcriptionOf(companyId, itemId);
    if (kind !== 'assistant') return undefined;
    const session = (await spoken.sessionsOf(companyId, [itemId])).get(itemId);
    return session?.message?.text || session?.summary;
  }

  async function send({ id, aggregateId, companyId, createdAt }: CommandContext): Promise<void> {
    const mail = await mails.of(companyId).get(aggregateId);
    if (!mail?.sending || clock.now().getTime() - createdAt.getTime() > LIFETIME_MS) return;
    const { employeeId, phone, sending } = mail;
    const enabled = (await settings.of(companyId).get(employeeId))?.enabled ?? [];
    const items = sending.items.filter(({ kind }) => enabled.includes(`${kind}/email`));
    const isEmployee = (await directory.activeNames(companyId, [employeeId])).has(employeeId);
    if (items.length === 0 || !isEmployee) return;
    const numberIds = [...new Set(items.flatMap(({ businessNumberId }) => businessNumberId ?? []))];
    const [contact, listed] = await Promise.all([
      contacts.byPhone(companyId, [phone]),
      numberIds.length > 0 ? numbers.listOf(companyId, numberIds) : [],
    ]);
    const entryOf = async ({ kind, at, itemId, businessNumberId, coworker }: MailedItem) => ({
      kind: kind === 'assigned' ? coworkerKind(coworker) : mailKinds[kind],
      at: timestampFromDate(at),
      businessNumberName: listed.find((number) => number.id === businessNumberId)?.name ?? '',
      employeeName: coworker?.name ?? '',
      transcription: (await wordsOf(companyId, kind, itemId)) ?? '',
    });
    await identity.sendThreadMail(
      {
        id,
        companyId,
        employeeId,
        phoneNumber: phone,
        contactName: contact.get(phone)?.name ?? '',
        entries: await Promise.all(items.map(entryOf)),
        omitted: sending.omitted,
      },
      { timeoutMs },
    );
  }

  return mails.startCommands<{ mail: void }>({
    mail: {
      guarantee: 'until_confirmed',
      execute: (_command, context) => send(context),
      settle: (mail, _command, _result, now) => (mail.sending ? mailSent(mail, now) : decided(mail)),
      isLong: () => true,
    },
  });
}

function coworkerKind(coworker: MailedItem['coworker']): ThreadMailKind {
  return coworker?.hasCommented ? ThreadMailKind.MENTIONED : ThreadMailKind.ASSIGNED;
}
