import type { CallItem, Contact, MessageItem, VoicemailItem } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';

/** Undefined when only the number is known. */
export function contactName(contact: Pick<Contact, 'name' | 'company_name'> | null): string | undefined {
  return contact?.name?.trim() || contact?.company_name?.trim() || undefined;
}

type DescribedCall = Pick<CallItem, 'direction' | 'state' | 'missed' | 'employee' | 'duration'>;

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
  if (call.missed) return call.direction === 'inbound' ? t('missed') : t('not answered');
  const name = call.employee?.name.trim();
  const how = call.direction === 'outbound' ? byWhom(name) : answeredBy(name);
  return call.duration === null ? how : `${how}, ${duration(call.duration)}`;
}

const byWhom = (name: string | undefined) => (name ? t('by {name}', { name }) : t('answered'));
const answeredBy = (name: string | undefined) => (name ? t('answered by {name}', { name }) : t('answered'));

export function voicemailWords(voicemail: Pick<VoicemailItem, 'duration' | 'listened'>): string {
  const length = voicemail.duration === null ? '' : `, ${duration(voicemail.duration)}`;
  return `${t('Voicemail')}${length}${voicemail.listened ? '' : `, ${t('not listened to')}`}`;
}

function stateWords(status: MessageItem['status']): string {
  switch (status) {
    case 'queued':
      return t('Sending…');
    case 'accepted':
      return t('Sent');
    case 'delivered':
      return t('Delivered');
    case 'failed':
      return t('Failed');
    case 'unknown':
      return t('Unknown: it may have been sent');
    case 'received':
      return t('Received');
    default:
      return String(status);
  }
}

/** Why a text failed, by the code of ours or of the provider without its name. */
function failureWords(code: string): string {
  switch (code.replace(/^[a-z]+_(?=\d)/, '')) {
    case 'provider_rejected':
      return t('the provider did not accept it');
    case 'provider_unavailable':
      return t('the provider could not be reached');
    case 'sending_unavailable':
      return t('the number could not send texts');
    case 'recipient_opted_out':
    case '40300':
      return t('the recipient wants no texts from this number');
    case '40001':
    case '40012':
      return t('this number cannot receive texts');
    case '40002':
    case '40003':
      return t('the carrier took it for spam');
    case '40005':
    case '40006':
      return t('the phone is off or out of reach');
    default:
      return t('the carrier could not deliver it');
  }
}

export function statusWords({ status, failure_code: code }: Pick<MessageItem, 'status' | 'failure_code'>): string {
  const words = stateWords(status);
  return status !== 'failed' || code === null ? words : `${words}: ${failureWords(code)}`;
}

/** The explanation of a failed send; undefined for failures that explain themselves. */
export function sendProblem(code: string): string | undefined {
  switch (code) {
    case 'sending_unavailable':
      return t('This number cannot send texts at the moment. Choose another one to send from.');
    case 'destination_not_allowed':
      return t('The company may not send texts to this number.');
    case 'recipient_opted_out':
      return t('The recipient has asked for no more texts from this number.');
    case 'rate_limited':
      return t('Too many texts from this number within a minute. Wait a minute, then send again.');
    case 'provider_rejected':
      return t('The provider did not accept the text. It is shown above, where you can retry it.');
    case 'provider_unavailable':
      return t('The provider could not be reached. The text is shown above with its state.');
    default:
      return undefined;
  }
}
