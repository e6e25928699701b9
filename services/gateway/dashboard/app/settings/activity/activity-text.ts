import type { AuditEvent } from '../../api/schema.d.ts';
import { capitalised } from '../../i18n/format.ts';
import { t } from '../../i18n/translate.ts';

/** Keyed by the type of the entry. */
const typeTexts = (): Readonly<Record<string, string>> => ({
  'company.created': t('Company created'),
  'company.updated': t('Company changed'),
  'company.deletion_requested': t('Deletion of the company requested'),
  'employee.created': t('Employee added'),
  'employee.updated': t('Employee changed'),
  'employee.role_changed': t('Role changed'),
  'employee.email_changed': t('E-mail address changed'),
  'employee.email_confirmed': t('E-mail address confirmed'),
  'employee.do_not_disturb_changed': t('Do not disturb of somebody changed'),
  'employee.deactivated': t('Employee deactivated'),
  'employee.reactivated': t('Employee reactivated'),
  'employee.removed': t('Employee removed'),
  'api_key.created': t('API key created'),
  'api_key.rotated': t('API key renewed'),
  'api_key.revoked': t('API key revoked'),
  'connected_app.created': t('App connected'),
  'connected_app.revoked': t('App disconnected'),
  'session.created': t('Signed in'),
  'session.ended': t('Signed out'),
  'sign_in.failed': t('Sign-in failed'),
  'password.changed': t('Password changed'),
  'two_factor.enabled': t('Second factor set up'),
  'two_factor.disabled': t('Second factor turned off'),
  'two_factor.reset': t('Second factor reset'),
  'sign_in_policy.changed': t('Rules of signing in changed'),
  'business_number.created': t('Number added'),
  'business_number.released': t('Number released'),
  'business_number.updated': t('Number changed'),
  'business_number.routing_changed': t('Routing of calls changed'),
  'business_number.hours_changed': t('Business hours changed'),
  'business_number.texting_settings_changed': t('Automatic reply changed'),
  'business_number.registration_changed': t('Registration of a number changed'),
  'webhook.created': t('Webhook created'),
  'webhook.updated': t('Webhook changed'),
  'webhook.secret_rotated': t('Secret of a webhook renewed'),
  'webhook.deleted': t('Webhook deleted'),
  'webhook.failed_sent_again': t('Deliveries of a webhook sent again'),
  'event.sent': t('Event sent to a webhook'),
  'assistant.created': t('Assistant created'),
  'assistant.updated': t('Assistant changed'),
  'assistant.deleted': t('Assistant deleted'),
  'knowledge_entry.created': t('Answer added'),
  'knowledge_entry.updated': t('Answer changed'),
  'knowledge_entry.deleted': t('Answer deleted'),
  'assistant_endpoint.changed': t('Language model changed'),
  'assistant_endpoint.removed': t('Language model removed'),
  'integration.saved': t('Data about callers connected'),
  'integration.removed': t('Data about callers disconnected'),
  'recording.played': t('Recording played'),
  'voicemail.played': t('Voicemail played'),
  'retention.changed': t('Retention changed'),
  'export.requested': t('Export of a person requested'),
  'export.downloaded': t('Export of a person downloaded'),
  'contacts.exported': t('File of contacts downloaded'),
  'calls.exported': t('File of calls downloaded'),
  'audit_events.exported': t('File of the activity log downloaded'),
  'erasure.requested': t('Erasure of a person requested'),
});

/** The types that can be chosen, with their words. */
export const activityTypes = (): readonly (readonly [type: string, text: string])[] => Object.entries(typeTexts());

/** A type that is newer than this page is shown as the API names it. */
export const typeText = (type: string): string => typeTexts()[type] ?? type;

export function actorText({ type, name }: AuditEvent['actor']): string {
  if (type === 'operator') return t('The operator');
  if (type === 'system') return t('The phone system');
  return name ?? t('Former employee');
}

/** Through what it was done, unless that is the dashboard or nothing. */
export function credentialText({ credential }: AuditEvent['actor']): string | undefined {
  const name = credential?.name ?? '';
  if (credential?.type === 'api_key') return t('with the API key {name}', { name });
  if (credential?.type === 'oauth_token') return t('with the app {name}', { name });
  return undefined;
}

const HIDDEN = '(set)';

/** Leaves out values that are hidden, ids, fields that were empty and still are, and the name unless it has changed. */
export function changeTexts({
  changes,
  object,
}: Pick<AuditEvent, 'changes' | 'object'>): readonly (readonly string[])[] {
  return Object.entries(changes)
    .filter(([field, { from, to }]) => {
      if (/(^|_)ids?$/.test(field) || (from === HIDDEN && to === HIDDEN)) return false;
      if (field === 'name' && to === object.name && isEmpty(from)) return false;
      return !(isEmpty(from) && isEmpty(to));
    })
    .map(([field, { from, to }]) => {
      const name = field === 'url' ? 'URL' : capitalised(field.replaceAll('_', ' '));
      return isEmpty(from) ? [name, valueText(to)] : [name, valueText(from), valueText(to)];
    });
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '' || value === false;

const VALUE_LENGTH_MAX = 120;

export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value === HIDDEN) return t('(not shown)');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}

/** The filters in an address as the API takes them: days are the reader's, the last one included. */
export function activityQuery(get: (name: string) => string) {
  const [actor, type] = [get('actor_id'), get('type')];
  const [from, to] = [midnight(get('from'), 0), midnight(get('to'), 1)];
  return {
    ...(actor !== '' && { actor_id: actor }),
    ...(type !== '' && { type }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function midnight(day: string, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
