import type { webhooks } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

/** When the API sends which event, in the order of the documentation. */
const eventTexts = (): Readonly<Record<Exclude<keyof webhooks, 'webhook.test'>, string>> => ({
  'call.initiated': t('A call starts'),
  'call.outside_business_hours': t('A call arrives outside business hours'),
  'call.queued': t('A caller waits for an employee'),
  'call.answered': t('An employee answers'),
  'call.ended': t('A call ends'),
  'call.lost': t('A call ends unanswered, without a voicemail'),
  'call.transcription_done': t('A recording was transcribed'),
  'voicemail.new': t('A voicemail was recorded'),
  'voicemail.transcription_done': t('A voicemail was transcribed'),
  'contact.created': t('A contact was added'),
  'contact.updated': t('A contact was changed'),
  'contact.deleted': t('A contact was removed'),
  'employee.status.changed': t('The status of an employee changed'),
  'number.registration_approved': t('The registration of a number was approved'),
  'number.registration_rejected': t('The registration of a number was rejected'),
  'message.received': t('A text was received'),
  'message.status_changed': t('The status of a sent text changed'),
  'call.held': t('A call was put on hold'),
  'call.resumed': t('A held call was resumed'),
  'call.note_changed': t('The note or the tags of a call changed'),
  'thread.assigned': t('A thread was assigned'),
  'thread.state_changed': t('A thread was marked as done or opened again'),
  'audit.created': t('The activity log has a new entry'),
  'assistant.session_started': t('An assistant answered a call'),
  'assistant.message_taken': t('An assistant took a message'),
  'assistant.session_ended': t('An assistant has left a call'),
});

/** The choice for a webhook: also what it receives already under a name that is no longer offered. */
export function eventOptions(
  subscribed: readonly string[],
): readonly { value: string; label: string; detail?: string }[] {
  const texts = eventTexts();
  const former = subscribed.filter((name) => !Object.hasOwn(texts, name));
  return [
    ...Object.entries(texts).map(([value, detail]) => ({ value, label: value, detail })),
    ...former.map((value) => ({ value, label: value })),
  ];
}

const NAMED_MAX = 3;

/** The events of a webhook for a list of webhooks. */
export function eventsText(events: readonly string[]): string {
  const named = events.slice(0, NAMED_MAX).join(', ');
  return events.length > NAMED_MAX
    ? t('{events} and {count} more', { events: named, count: events.length - NAMED_MAX })
    : named;
}
