import { decided } from '@parley/errors';
import type { Event, EventHandlers } from '@parley/events';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import { readMessage } from '../assistant-messages/read-message.ts';
import type { NotificationDeps } from './notification-store.ts';
import {
  type NotificationKind,
  type NotificationSettings,
  type NotificationWay,
  notificationWays,
} from './notification-settings.ts';
import { type MailedItem, MAILED_AGE_MAX_MS, newThreadMail, planMail, transcribed } from './thread-mail.ts';
import { planPush } from './thread-push.ts';

interface ThreadEvent extends Pick<Event, 'companyId' | 'occurredAt'> {
  readonly phone: string;
}

type Item = Omit<MailedItem, 'at' | 'waitsUntil'> & { readonly waitsForTranscript?: boolean };

/** Plans e-mails and push messages about what happens in threads. */
export function notificationHandlers(deps: NotificationDeps): EventHandlers {
  const { settings, mails, pushes, subscriptions, handlings, directory, erased, clock } = deps;

  const isOutdated = async ({ companyId, phone, occurredAt }: ThreadEvent) =>
    clock.now().getTime() - occurredAt.getTime() > MAILED_AGE_MAX_MS ||
    (await erased.wasErased(companyId, [phone], occurredAt));

  /** The thread's assignee, or whom the item is for, if they have enabled the notification; everybody who has when neither works here. */
  async function recipientsOf(
    companyId: string,
    phone: string,
    kinds: readonly NotificationKind[],
    addressee?: { readonly id: string },
  ) {
    const employees = await settings.withEnabled(companyId, kinds);
    const assigned = employees.length > 0 ? (await handlings.byPhone(companyId, phone))?.assignee : undefined;
    const assignee = assigned ?? addressee;
    const isEmployee = assignee && (await directory.activeNames(companyId, [assignee.id])).has(assignee.id);
    return isEmployee ? employees.filter(({ id }) => id === assignee.id) : employees;
  }

  const plans = {
    async email({ companyId, phone, occurredAt: at }, employeeId, { waitsForTranscript, ...item }) {
      const of = { id: `${employeeId}/${phone}`, companyId, employeeId, phone };
      await mails
        .of(companyId)
        .upsert(of.id, (current) =>
          planMail(current ?? newThreadMail(of), { ...item, at }, clock.now(), waitsForTranscript),
        );
    },
    async push({ companyId, phone, occurredAt: at }, employeeId, { waitsForTranscript: _, ...item }) {
      const browsers = (await subscriptions.of(companyId).get(employeeId))?.subscriptions ?? [];
      if (browsers.length === 0) return;
      const of = { id: `${employeeId}/${phone}`, companyId, employeeId, phone };
      const ids = browsers.map(({ id }) => id);
      await pushes
        .of(companyId)
        .upsert(of.id, (current) => planPush(current ?? { ...of, known: [] }, { ...item, at }, ids, clock.now()));
    },
  } satisfies Record<NotificationWay, (threadEvent: ThreadEvent, employeeId: string, item: Item) => Promise<void>>;

  /** In each way, everybody hears of the first of the items that they want to hear of in this way. */
  async function plan(
    threadEvent: ThreadEvent,
    recipients: readonly Pick<NotificationSettings, 'id' | 'enabled'>[],
    ...items: readonly Item[]
  ): Promise<void> {
    for (const { id, enabled } of recipients)
      for (const way of notificationWays) {
        const item = items.find(({ kind }) => enabled.includes(`${kind}/${way}`));
        if (item) await plans[way](threadEvent, id, item);
      }
  }

  /** Those who want to hear of missed calls but not of voicemails hear of the call. */
  async function onVoicemail({ voicemail }: { voicemail?: Voicemail }, { companyId, occurredAt }: Event) {
    if (!voicemail) return;
    const { id: itemId, from: phone, mainNumberId: businessNumberId, callId, hasTranscription } = voicemail;
    const threadEvent = { companyId, phone, occurredAt };
    if (!isListed(phone) || (await isOutdated(threadEvent))) return;
    const recipients = await recipientsOf(companyId, phone, ['voicemail', 'missed_call']);
    const waitsForTranscript = !hasTranscription;
    await plan(
      threadEvent,
      recipients,
      { kind: 'voicemail', itemId, businessNumberId, waitsForTranscript },
      { kind: 'missed_call', itemId: callId, businessNumberId },
    );
  }

  /** Notifies an employee of a coworker's action, if enabled. */
  async function planForCoworker(
    threadEvent: ThreadEvent,
    employeeId: string,
    item: Pick<MailedItem, 'itemId' | 'coworker'>,
  ): Promise<void> {
    const recipient = await settings.of(threadEvent.companyId).get(employeeId);
    if (!recipient || (await isOutdated(threadEvent))) return;
    await plan(threadEvent, [recipient], { kind: 'assigned', ...item });
  }

  /** A message, or a wish to be called back, of which employees hear once. */
  async function onLeftByAssistant(callId: string, { companyId, occurredAt }: Event): Promise<void> {
    if ((await settings.withEnabled(companyId, ['assistant'])).length === 0) return;
    const left = await readMessage(deps, companyId, callId);
    if (!left) return;
    const { phone, businessNumberId, message } = left;
    const threadEvent = { companyId, phone, occurredAt };
    if (await isOutdated(threadEvent)) return;
    const recipients = await recipientsOf(companyId, phone, ['assistant'], message?.for);
    await plan(threadEvent, recipients, { kind: 'assistant', itemId: callId, businessNumberId });
  }

  return {
    'assistant.session.message_taken': async ({ session }, event) => {
      if (session) await onLeftByAssistant(session.callId, event);
    },
    'assistant.session.ended': async ({ session }, event) => {
      if (session?.outcome === 'callback_requested') await onLeftByAssistant(session.callId, event);
    },
    'call-control.call.lost': async ({ call }, { companyId, occurredAt }) => {
      if (!call || !isListed(call.from)) return;
      const threadEvent = { companyId, phone: call.from, occurredAt };
      if (await isOutdated(threadEvent)) return;
      const recipients = await recipientsOf(companyId, call.from, ['missed_call']);
      const item = { kind: 'missed_call', itemId: call.id, businessNumberId: call.mainNumberId } as const;
      await plan(threadEvent, recipients, item);
    },
    'call-control.voicemail.created': onVoicemail,
    'call-control.voicemail.transcription_done': async ({ voicemail }, { companyId }) => {
      if (!voicemail) return;
      const own = mails.of(companyId);
      for await (const { id } of own.find({ phone: voicemail.from }, { phone: 1 }))
        await own.changeIfExists(id, (current) => transcribed(current, voicemail.id, clock.now()));
    },
    'messaging-inbox.message.received': async ({ message }, { companyId, occurredAt }) => {
      if (!message) return;
      const { id: itemId, from: phone, businessNumberId } = message;
      const threadEvent = { companyId, phone, occurredAt };
      const recipients = await recipientsOf(companyId, phone, ['text']);
      if (recipients.length === 0 || (await isOutdated(threadEvent))) return;
      // The inbox shows no texts while texting is off.
      if (!(await directory.company(companyId)).messagingEnabled) return;
      await plan(threadEvent, recipients, { kind: 'text', itemId, businessNumberId });
    },
    'messaging-inbox.thread.assigned': async ({ thread }, { id: itemId, companyId, occurredAt, actor }) => {
      if (!thread?.assignee || thread.assignee.id === actor?.id) return;
      const coworker = { name: actor?.name ?? '', hasCommented: false };
      const threadEvent = { companyId, phone: thread.phoneNumber, occurredAt };
      await planForCoworker(threadEvent, thread.assignee.id, { itemId, coworker });
    },
    'messaging-inbox.comment.created': async ({ comment }, { companyId, occurredAt }) => {
      if (!comment) return;
      const { id: itemId, phoneNumber: phone, author, mentions } = comment;
      const coworker = { name: author?.name ?? '', hasCommented: true };
      for (const { id } of mentions)
        if (id !== author?.id) await planForCoworker({ companyId, phone, occurredAt }, id, { itemId, coworker });
    },
    'directory.employee.deleted': async ({ employee }, { companyId }) => {
      if (employee) await settings.of(companyId).changeIfExists(employee.id, () => decided(null));
    },
  };
}

/** Callers without a number have no thread. */
function isListed(phone: string): boolean {
  return phone.startsWith('+');
}
