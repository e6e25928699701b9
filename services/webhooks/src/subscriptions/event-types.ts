/** Every event type a subscription can name: those of the specification in its order, then further ones. */
export const eventTypes = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'call.transcription_done',
  'voicemail.new',
  'voicemail.transcription_done',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'employee.status.changed',
  'number.registration_approved',
  'number.registration_rejected',
  'message.received',
  'message.status_changed',
  'call.held',
  'call.resumed',
  'call.note_changed',
  'thread.assigned',
  'thread.state_changed',
  'audit.created',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Former names of event types; existing subscriptions keep them. */
const formerNames: Readonly<Partial<Record<EventType, string>>> = {
  'call.outside_business_hours': 'call.outside_opening_hours',
};

const knownNames: ReadonlySet<string> = new Set([...eventTypes, ...Object.values(formerNames)]);

export function isEventName(name: string): boolean {
  return knownNames.has(name);
}

/**
 * The name of an event for a subscription to `names`; null when it does not match. One that lists both the
 * current and the former name receives it once, under the current one.
 */
export function matchingEventName(names: readonly string[], type: EventType): string | null {
  const former = formerNames[type];
  if (names.includes(type)) return type;
  return former !== undefined && names.includes(former) ? former : null;
}
