/** The events that a webhook can receive, in the order of the documentation. */
const EVENT_TYPES: readonly (readonly [string, string])[] = [
  ['call.initiated', 'A call starts'],
  ['call.outside_business_hours', 'A call arrives outside business hours'],
  ['call.queued', 'A caller waits for an employee'],
  ['call.answered', 'An employee answers'],
  ['call.ended', 'A call ends'],
  ['call.lost', 'A call ends unanswered, without a voicemail'],
  ['call.transcription_done', 'A recording was transcribed'],
  ['voicemail.new', 'A voicemail was recorded'],
  ['voicemail.transcription_done', 'A voicemail was transcribed'],
  ['contact.created', 'A contact was added'],
  ['contact.updated', 'A contact was changed'],
  ['contact.deleted', 'A contact was removed'],
  ['employee.status.changed', 'The status of an employee changed'],
  ['number.registration_approved', 'The registration of a number was approved'],
  ['number.registration_rejected', 'The registration of a number was rejected'],
  ['message.received', 'A text was received'],
  ['message.status_changed', 'The status of a sent text changed'],
];

/** The choice for a webhook: also what it receives already under a name that is no longer offered. */
export function eventOptions(
  subscribed: readonly string[],
): readonly { value: string; label: string; detail?: string }[] {
  const former = subscribed.filter((name) => EVENT_TYPES.every(([type]) => type !== name));
  return [
    ...EVENT_TYPES.map(([value, detail]) => ({ value, label: value, detail })),
    ...former.map((value) => ({ value, label: value })),
  ];
}

const NAMED_MAX = 3;

/** The events of a webhook for a list of webhooks. */
export function eventsText(events: readonly string[]): string {
  const named = events.slice(0, NAMED_MAX).join(', ');
  return events.length > NAMED_MAX ? `${named} and ${events.length - NAMED_MAX} more` : named;
}
