import type { CallItem, Contact, MessageItem, VoicemailItem } from '../api/schema.d.ts';
import { assistantOutcomeText } from '../calls/assistant-text.ts';
import { t } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';

/** Undefined when only the number is known. */
export function contactName(contact: Pick<Contact, 'name' | 'company_name'> | null): string | undefined {
  return contact?.name?.trim() || contact?.company_name?.trim() || undefined;
}

type DescribedCall = Pick<CallItem, 'direction' | 'state' | 'missed' | 'employee' | 'duration' | 'assistant'>;

/** "Incoming call", and how it ended. */
export function callWords(
  call: DescribedCall,
  leftVoicemail = false,
): { readonly direction: string; readonly outcome: string } {
  const direction = call.direction === 'inbound' ? t('Incoming call') : t('Outgoing call');
  return { direction, outcome: leftVoicemail ? t('left a voicemail') : outcomeOf(call) };
}

function outcomeOf(call: DescribedCall): string {
  if (call.state !== 'ended') return t('in progress');
  if (isAssisted(call)) return assistantOutcomeText(call.assistant.outcome) ?? t('answered');
  if (call.missed) return call.direction === 'inbound' ? t('missed') : t('not answered');
  const name = call.employee?.name.trim();
  const how = call.direction === 'outbound' ? byWhom(name) : answeredBy(name);
  return call.duration === null ? how : `${how}, ${duration(call.duration)}`;
}

/** An assistant took care of the caller, without an employee. */
export function isAssisted<Described extends Pick<CallItem, 'missed' | 'employee' | 'assistant'>>(
  call: Described,
): call is Described & { assistant: NonNullable<CallItem['assistant']> } {
  return !call.missed && call.employee === null && call.assistant?.state === 'left';
}

const byWhom = (name: string | undefined) => (name ? t('by {name}', { name }) : t('answered'));
const answeredBy = (name: string | undefined) => (name ? t('answered by {name}', { name }) : t('answered'));

export function voicemailWords(voicemail: Pick<VoicemailItem, 'duration' | 'listened'>): string {
  const length = voicemail.duration === null ? '' : `, ${duration(voicemail.duration)}`;
  return `${t('Voicemail')}${length}${voicemail.listened ? '' : `, ${t('not listened to')}`}`;
}

function stateWords(status: MessageItem['status']): string {
  const words: Readonly<Record<string, string>> = {
    queued: t('Sending…'),
    accepted: t('Sent'),
    delivered: t('Delivered'),
    failed: t('Failed'),
    unknown: t('Unknown: it may have been sent'),
    received: t('Received'),
  };
  return words[status] ?? String(status);
}

/** Why a text failed, by the code of ours or of the provider without its name. */
function failureWords(code: string): string {
  const words: Readonly<Record<string, string>> = {
    provider_rejected: t('the provider did not accept it'),
    provider_unavailable: t('the provider could not be reached'),
    sending_unavailable: t('the number could not send texts'),
    recipient_opted_out: t('the recipient wants no texts from this number'),
    '40300': t('the recipient wants no texts from this number'),
    '40001': t('this number cannot receive texts'),
    '40012': t('this number cannot receive texts'),
    '40002': t('the carrier took it for spam'),
    '40003': t('the carrier took it for spam'),
    '40005': t('the phone is off or out of reach'),
    '40006': t('the phone is off or out of reach'),
  };
  return words[code.replace(/^[a-z]+_(?=\d)/, '')] ?? t('the carrier could not deliver it');
}

export function statusWords({ status, failure_code: code }: Pick<MessageItem, 'status' | 'failure_code'>): string {
  const words = stateWords(status);
  return status !== 'failed' || code === null ? words : `${words}: ${failureWords(code)}`;
}

/** The explanation of a failed send; undefined for failures that explain themselves. */
export function sendProblem(code: string): string | undefined {
  const problems: Readonly<Record<string, string>> = {
    sending_unavailable: t('This number cannot send texts at the moment. Choose another one to send from.'),
    destination_not_allowed: t('The company may not send texts to this number.'),
    recipient_opted_out: t('The recipient has asked for no more texts from this number.'),
    rate_limited: t('Too many texts from this number within a minute. Wait a minute, then send again.'),
    provider_rejected: t('The provider did not accept the text. It is shown above, where you can retry it.'),
    provider_unavailable: t('The provider could not be reached. The text is shown above with its state.'),
  };
  return problems[code];
}
