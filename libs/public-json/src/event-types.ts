interface EventTypeEntry {
  /** When it happens. */
  readonly description: string;
  /** Subscriptions that were made with one keep it, also in what they receive. */
  readonly formerNames?: readonly string[];
}

/** Every event that partners can receive: those of the specification in its order, then further ones. */
const entries = {
  'call.initiated': { description: 'A call starts, inbound or outbound; nobody has answered it.' },
  'call.outside_business_hours': {
    description: 'An inbound call arrives outside the business hours of its number.',
    formerNames: ['call.outside_opening_hours'],
  },
  'call.queued': { description: 'The caller begins to wait for an employee, once per call at most.' },
  'call.answered': {
    description: 'An employee or a phone that the call is forwarded to answers; of an outbound call, the called party.',
  },
  'call.ended': { description: 'A call ends, whether it was answered, missed or rejected.' },
  'call.lost': {
    description:
      'An inbound call has ended that nobody answered, without a voicemail, and in which no assistant served the caller.',
  },
  'call.transcription_done': {
    description: 'The recording of a call was transcribed: `transcription`, its segments and `summary` are there.',
  },
  'voicemail.new': { description: 'A caller left a voicemail. It is not transcribed yet.' },
  'voicemail.transcription_done': { description: 'A voicemail was transcribed.' },
  'contact.created': { description: 'A contact was added.' },
  'contact.updated': { description: 'A field of a contact was changed.' },
  'contact.deleted': { description: 'A contact was removed. `contact` is what it was.' },
  'employee.status.changed': {
    description:
      'The status of an employee changed, such as from `available` to `on_call`, or do-not-disturb was switched.',
  },
  'number.registration_approved': { description: 'The registration of a business number was approved.' },
  'number.registration_rejected': { description: 'The registration of a business number was rejected.' },
  'message.received': { description: 'A text came in.' },
  'message.status_changed': { description: 'The status of a sent text changed, such as to `delivered` or `failed`.' },
  'call.held': { description: 'An employee put a call on hold.' },
  'call.resumed': { description: 'A call that was on hold goes on.' },
  'call.note_changed': { description: 'The note or the tags of a call changed.' },
  'thread.assigned': { description: 'A thread of the inbox was assigned to an employee, or to nobody.' },
  'thread.state_changed': { description: 'A thread of the inbox was marked as done, or opened again.' },
  'audit.created': { description: 'The audit log has a new entry.' },
  'assistant.session_started': { description: 'An assistant answered a call.' },
  'assistant.message_taken': { description: 'An assistant took a message, or a request to be called back.' },
  'assistant.session_ended': { description: 'An assistant has left a call; `summary` says what it was about.' },
} as const satisfies Readonly<Record<string, EventTypeEntry>>;

export type EventType = keyof typeof entries;

/** The names of all types of events, in the order of the documentation. */
export const eventTypes = Object.keys(entries) as EventType[];

export function eventDescription(type: EventType): string {
  return entries[type].description;
}

export function formerNamesOf(type: EventType): readonly string[] {
  const { formerNames = [] }: EventTypeEntry = entries[type];
  return formerNames;
}
