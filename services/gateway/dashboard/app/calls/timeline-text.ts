import type { CallTimelineEntry } from '../api/schema.d.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'state initiated': 'The call started',
  'state queued': 'The call waits for an employee',
  'state answered': 'The call was answered',
  'state playing_audio': 'A message was played',
  'state transferring': 'The call is being connected',
  'state recording': 'A voicemail was being recorded',
  'state bridged': 'Caller and employee were connected',
  'state ended': 'The call ended',
  'input key': 'The caller pressed a key',
  'input no_key': 'The caller pressed no key in time',
  'offer offer_made': '{name} was called',
  'offer offer_answered': '{name} answered',
  'offer offer_declined': '{name} declined',
  'offer offer_withdrawn': 'The phone of {name} stopped ringing',
  'offer offer_ended': 'The phone of {name} stopped ringing',
  'leg leg_ended': 'The phone of {name} left the call',
  'transfer ringing': 'A transfer to {name} began',
  'transfer consulting': '{name} accepted the transfer',
  'transfer completed': 'The transfer to {name} was completed',
  'transfer cancelled': 'The transfer to {name} was cancelled',
  'transfer failed': 'The transfer to {name} failed',
  'recording recording_ordered': 'Recording began',
  'recording recording_stopped': 'Recording ended',
  'recording recording_stored': 'The recording was stored',
  'recording recording_missing': 'There is no recording',
  'recording recording_refused': 'The recording of the switch could not be used',
  'recording transcribed': 'The call was transcribed',
  'recording voicemail_left': 'A voicemail was left',
  'recording voicemail_deleted': 'The voicemail was empty and was deleted',
};

/** What happened, in words; an entry of a kind that is not known here is named as the API names it. */
export function timelineText(entry: CallTimelineEntry, nameOf: (employeeId: string) => string | undefined): string {
  const { type, what, detail, employee_id: employeeId } = entry;
  const known = TEXTS[`${type} ${what}`];
  const name = employeeId === undefined ? 'the caller' : (nameOf(employeeId) ?? 'a former employee');
  const text = known?.replace('{name}', () => name) ?? plain(type, what);
  const shown = detail === undefined || detail === '' ? text : `${text} (${detail.replaceAll('_', ' ').toLowerCase()})`;
  return shown.charAt(0).toUpperCase() + shown.slice(1);
}

/** The trigger of an entry, in words. */
export function causeText({ cause }: Pick<CallTimelineEntry, 'cause'>): string {
  return cause.replaceAll('_', ' ').toLowerCase();
}

function plain(type: string, what: string): string {
  const words = what.replaceAll('_', ' ');
  if (type === 'timer') return `Time was up: ${words}`;
  if (type === 'dropped') return `Without effect: ${words}`;
  return words;
}
