import { type AuditChanges, type AuditEntry, type AuditType, changedFields, publicName } from '@parley/actor';
import { defaultSettings } from './number-fields.ts';

/** A number with whatever fields it has. */
interface AuditedNumber {
  readonly id: string;
  readonly name: string;
}

/** Fields that follow from others, or that say nothing to a reader of the audit log. */
const LEFT_OUT: readonly string[] = [
  'id',
  'companyId',
  'numberFormatted',
  'nextMenuOptionId',
  'targetIds',
  'assistantIds',
  'promptKeys',
  'createdAt',
  'updatedAt',
  'createdOrder',
];

/**
 * Values that are recorded as they are. Of every other field, also of ones that are added later, the log says only that it has
 * changed: routing contains prompts and numbers of outside people, settings contain texts.
 */
const SHOWN: readonly string[] = [
  'number',
  'name',
  'timezone',
  'language',
  'recordingEnabled',
  'active',
  'sms',
  'waitAudio',
  'ringStrategy',
  'announcePosition',
  'callbackOffer',
  'noAnswerTimeoutSecs',
  'businessHours',
  'registrationStatus',
  'registrationDueAt',
];

const ROUTING: readonly string[] = [
  'incoming_call_config',
  'outside_business_hours_config',
  'no_answer_config',
  'no_answer_timeout_secs',
];

export function auditOfNewNumber(number: AuditedNumber): AuditEntry {
  return { type: 'business_number.created', object: objectOf(number), changes: changesOf(defaultSettings, number) };
}

/** The same of a released one. */
export function auditOfReleasedNumber(number: AuditedNumber & { readonly number: string }): AuditEntry {
  const changes = { number: { from: number.number, to: null } };
  return { type: 'business_number.released', object: objectOf(number), changes };
}

/** The same of a changed one, with the name of what has changed; undefined when nothing that it records has. */
export function auditOfNumber(before: AuditedNumber, after: AuditedNumber): AuditEntry | undefined {
  const changes = changesOf(before, after);
  const fields = Object.keys(changes);
  if (fields.length === 0) return undefined;
  return { type: typeOf(fields), object: objectOf(after), changes };
}

function typeOf(fields: readonly string[]): AuditType {
  if (fields.some((field) => ROUTING.includes(field))) return 'business_number.routing_changed';
  if (fields.includes('business_hours') || fields.includes('closures')) return 'business_number.hours_changed';
  if (fields.includes('texting_settings')) return 'business_number.texting_settings_changed';
  return fields.includes('registration_status') ? 'business_number.registration_changed' : 'business_number.updated';
}

function objectOf({ id, name }: AuditedNumber): AuditEntry['object'] {
  return { type: 'business_number', id, name };
}

function changesOf(before: object, after: AuditedNumber): AuditChanges {
  const names = Object.keys(after).filter((name) => !LEFT_OUT.includes(name));
  const hidden = names.filter((name) => !SHOWN.includes(name)).map(publicName);
  return changedFields(fieldsOf(before, names), fieldsOf(after, names), { hidden });
}

function fieldsOf(number: object, names: readonly string[]): Record<string, unknown> {
  const fields = Object.entries(number).filter(([name]) => names.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [publicName(name), value]));
}
