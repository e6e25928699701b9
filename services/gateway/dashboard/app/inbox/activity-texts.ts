import type { CallItem, Contact, MessageItem, VoicemailItem } from '../api/schema.d.ts';
import { duration } from '../ui/duration.ts';

/** How a contact is called; undefined when nothing but a number is known. */
export function contactName(contact: Pick<Contact, 'name' | 'company_name'> | null): string | undefined {
  return contact?.name?.trim() || contact?.company_name?.trim() || undefined;
}

/** "Incoming call", and how it ended. */
export function callWords(call: Pick<CallItem, 'direction' | 'state' | 'missed' | 'employee' | 'duration'>): {
  readonly direction: string;
  readonly outcome: string;
} {
  return { direction: call.direction === 'inbound' ? 'Incoming call' : 'Outgoing call', outcome: outcomeOf(call) };
}

function outcomeOf(call: Pick<CallItem, 'direction' | 'state' | 'missed' | 'employee' | 'duration'>): string {
  if (call.state !== 'ended') return 'in progress';
  if (call.missed) return call.direction === 'inbound' ? 'missed' : 'not answered';
  const length = call.duration === null ? '' : `, ${duration(call.duration)}`;
  const who = call.employee?.name.trim();
  if (call.direction === 'outbound') return `${who ? `by ${who}` : 'answered'}${length}`;
  return `answered${who ? ` by ${who}` : ''}${length}`;
}

export function voicemailWords(voicemail: Pick<VoicemailItem, 'duration' | 'listened'>): string {
  const length = voicemail.duration === null ? '' : `, ${duration(voicemail.duration)}`;
  return `Voicemail${length}${voicemail.listened ? '' : ', not listened to'}`;
}

const STATUS_WORDS: Readonly<Record<MessageItem['status'], string>> = {
  queued: 'Sending…',
  accepted: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
  unknown: 'Unknown: it may have been sent',
  received: 'Received',
};

const FAILURE_WORDS: Readonly<Record<string, string>> = {
  provider_rejected: 'the provider did not accept it',
  provider_unavailable: 'the provider could not be reached',
  sending_unavailable: 'the number could not send texts',
  recipient_opted_out: 'the recipient wants no texts from this number',
};

export function statusWords({ status, failure_code: code }: Pick<MessageItem, 'status' | 'failure_code'>): string {
  const words = STATUS_WORDS[status] ?? String(status);
  if (status !== 'failed' || code === null) return words;
  return `${words}: ${FAILURE_WORDS[code] ?? `code ${code}`}`;
}

const SEND_PROBLEMS: Readonly<Record<string, string>> = {
  sending_unavailable: 'This number cannot send texts at the moment. Choose another one to send from.',
  recipient_opted_out: 'The recipient has asked for no more texts from this number.',
  rate_limited: 'Too many texts from this number within a minute. Wait a minute, then send again.',
  provider_rejected: 'The provider did not accept the text. It is shown above, where you can retry it.',
  provider_unavailable: 'The provider could not be reached. The text is shown above with its state.',
};

/** What to tell of a failed send; undefined for failures that explain themselves. */
export function sendProblem(code: string): string | undefined {
  return SEND_PROBLEMS[code];
}
