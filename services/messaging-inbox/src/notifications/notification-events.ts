import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { Event, EventHandlers } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Directory } from '../directory/directory-client.ts';
import type { ThreadHandlings } from '../threads/thread-handling-store.ts';
import type { SettingsStore, ThreadMails } from './notification-store.ts';
import type { NotificationKind, NotificationSettings } from './notification-settings.ts';
import { type MailedItem, MAILED_AGE_MAX_MS, newThreadMail, planMail, transcribed } from './thread-mail.ts';

export interface NotificationEventDeps {
  readonly settings: SettingsStore;
  readonly mails: ThreadMails;
  readonly handlings: Pick<ThreadHandlings, 'byPhone'>;
  readonly directory: Pick<Directory, 'company' | 'employeeNames'>;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
  readonly clock: Clock;
}

interface Happening extends Pick<Event, 'companyId' | 'occurredAt'> {
  readonly phone: string;
}

/** Plans e-mails about what happens in threads. */
export function notificationHandlers(deps: NotificationEventDeps): EventHandlers {
  const { settings, mails, handlings, directory, erased, clock } = deps;

  const isOutdated = async ({ companyId, phone, occurredAt }: Happening) =>
    clock.now().getTime() - occurredAt.getTime() > MAILED_AGE_MAX_MS ||
    (await erased.wasErased(companyId, [phone], occurredAt));

  /** Of those who want e-mails about something, the thread's assignee; everybody when it has none who still works here. */
  async function recipientsOf(companyId: string, phone: string, kind: NotificationKind) {
    const wanting = await settings.wantingMail(companyId, kind);
    const assignee = wanting.length > 0 ? (await handlings.byPhone(companyId, phone))?.assignee : undefined;
    const isEmployee = assignee && (await directory.employeeNames(companyId, [assignee.id])).has(assignee.id);
    return isEmployee ? wanting.filter(({ id }) => id === assignee.id) : wanting;
  }

  async function plan(
    { companyId, phone, occurredAt }: Happening,
    employeeIds: readonly string[],
    item: Omit<MailedItem, 'at' | 'waitsUntil'>,
    waitsForTranscript = false,
  ): Promise<void> {
    for (const employeeId of employeeIds) {
      const id = `${employeeId}/${phone}`;
      await mails
        .of(companyId)
        .upsert(id, (current) =>
          planMail(
            current ?? newThreadMail({ id, companyId, employeeId, phone }),
            { ...item, at: occurredAt },
            clock.now(),
            waitsForTranscript,
          ),
        );
    }
  }

  const ids = (wanting: readonly NotificationSettings[]) => wanting.map(({ id }) => id);

  /** Those who want e-mails about missed calls but not about voicemails hear of the call. */
  async function onVoicemail({ voicemail }: { voicemail?: Voicemail }, { companyId, occurredAt }: Event) {
    if (!voicemail) return;
    const { id: itemId, from: phone, mainNumberId: businessNumberId, callId, hasTranscription } = voicemail;
    const happening = { companyId, phone, occurredAt };
    if (!isListed(phone) || (await isOutdated(happening))) return;
    const wanting = await recipientsOf(companyId, phone, 'voicemail');
    const callers = await recipientsOf(companyId, phone, 'missed_call');
    const others = callers.filter(({ wanted }) => !wanted.includes('voicemail/email'));
    await plan(happening, ids(wanting), { kind: 'voicemail', itemId, businessNumberId }, !hasTranscription);
    await plan(happening, ids(others), { kind: 'missed_call', itemId: callId, businessNumberId });
  }

  /** Somebody who wants it is told of what a coworker did. */
  async function planForCoworker(
    happening: Happening,
    employeeId: string,
    item: Pick<MailedItem, 'itemId' | 'coworker'>,
  ): Promise<void> {
    const wanted = (await settings.of(happening.companyId).get(employeeId))?.wanted ?? [];
    if (!wanted.includes('assigned/email') || (await isOutdated(happening))) return;
    await plan(happening, [employeeId], { kind: 'assigned', ...item });
  }

  return {
    'call-control.call.lost': async ({ call }, { companyId, occurredAt }) => {
      if (!call || !isListed(call.from)) return;
      const happening = { companyId, phone: call.from, occurredAt };
      if (await isOutdated(happening)) return;
      const wanting = await recipientsOf(companyId, call.from, 'missed_call');
      const item = { kind: 'missed_call', itemId: call.id, businessNumberId: call.mainNumberId } as const;
      await plan(happening, ids(wanting), item);
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
      const happening = { companyId, phone, occurredAt };
      if (await isOutdated(happening)) return;
      const wanting = await recipientsOf(companyId, phone, 'text');
      // The inbox shows no texts while texting is off.
      if (wanting.length === 0 || !(await directory.company(companyId)).messagingEnabled) return;
      await plan(happening, ids(wanting), { kind: 'text', itemId, businessNumberId });
    },
    'messaging-inbox.thread.assigned': async ({ thread }, { id: itemId, companyId, occurredAt, actor }) => {
      if (!thread?.assignee || thread.assignee.id === actor?.id) return;
      const coworker = { name: actor?.name ?? '', hasCommented: false };
      const happening = { companyId, phone: thread.phoneNumber, occurredAt };
      await planForCoworker(happening, thread.assignee.id, { itemId, coworker });
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
