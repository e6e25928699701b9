import type { ThreadHandling } from '@parley/proto/messaging_inbox/v1/thread_events_pb';
import { type NumberSnapshot, RegistrationStatus } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { z } from 'zod';
import { assistantSessionSchema } from './assistant-session-json.ts';
import { auditEventSchema } from './audit-event-json.ts';
import { callEventSchema, callSchema } from './call-json.ts';
import { contactSchema } from './contact-json.ts';
import { employeeSchema } from './employee-json.ts';
import { eventDescription, type EventType, eventTypes, formerNamesOf } from './event-types.ts';
import { messageSchema } from './message-json.ts';
import { threadSchema, threadStateJson } from './thread-json.ts';
import { enumJson } from './value-json.ts';
import { voicemailEventSchema } from './voicemail-json.ts';

/** The steps of the registration of a business number. */
export const registrationStatuses = ['not_required', 'pending', 'submitted', 'approved', 'rejected', 'failed'] as const;

const numberEventSchema = z
  .object({
    id: z.string(),
    number: z.string().describe('E.164'),
    registration_status: z.enum(registrationStatuses),
  })
  .meta({ id: 'EventBusinessNumber' });

const threadEventSchema = threadSchema
  .pick({ phone_number: true, assignee: true, state: true })
  .meta({ id: 'EventInboxThread' });

const voicemailData = callEventSchema
  .extend({ voicemail: voicemailEventSchema })
  .meta({ id: 'EventCallWithVoicemail' });
const noteData = callEventSchema
  .extend(callSchema.pick({ note: true, tags: true }).shape)
  .meta({ id: 'EventCallWithNote' });
const sessionData = callEventSchema
  .extend({ session: assistantSessionSchema })
  .meta({ id: 'EventCallWithAssistantSession' });
const contactData = z.object({ contact: contactSchema });
const messageData = z.object({ message: messageSchema });
const threadData = z.object({ thread: threadEventSchema });

/** The body of a delivery. */
type EventSchema = z.ZodObject<{ event: z.ZodLiteral<string>; timestamp: z.ZodString; data: z.ZodObject }>;

/** A type of event as the documents describe it. */
export interface DescribedEvent {
  readonly type: string;
  /** When it happens. */
  readonly description: string;
  readonly formerNames: readonly string[];
  /** The whole body of a delivery, `event` being this type. */
  readonly schema: EventSchema;
}

/** The `data` of each type of event. */
const dataSchemas = {
  'call.initiated': callEventSchema,
  'call.outside_business_hours': callEventSchema,
  'call.queued': callEventSchema,
  'call.answered': callEventSchema,
  'call.ended': callEventSchema,
  'call.lost': callEventSchema,
  'call.transcription_done': callEventSchema,
  'voicemail.new': voicemailData,
  'voicemail.transcription_done': voicemailData,
  'contact.created': contactData,
  'contact.updated': contactData,
  'contact.deleted': contactData,
  'employee.status.changed': z.object({ employee: employeeSchema }),
  'number.registration_approved': z.object({ main_number: numberEventSchema }),
  'number.registration_rejected': z.object({
    main_number: numberEventSchema,
    reason: z.string().describe('Why the carrier rejected it'),
  }),
  'message.received': messageData,
  'message.status_changed': messageData,
  'call.held': callEventSchema,
  'call.resumed': callEventSchema,
  'call.note_changed': noteData,
  'thread.assigned': threadData,
  'thread.state_changed': threadData,
  'audit.created': z.object({ audit_event: auditEventSchema }),
  'assistant.session_started': sessionData,
  'assistant.message_taken': sessionData,
  'assistant.session_ended': sessionData,
} satisfies Readonly<Record<EventType, z.ZodObject>>;

/** The `data` of an event of this type. */
export type EventData<Type extends EventType> = z.output<(typeof dataSchemas)[Type]>;

/** Every event that is recorded and that a subscription can name, as its deliveries have it. */
export const describedEvents = eventTypes.map((type) =>
  describeEvent({
    type,
    description: eventDescription(type),
    formerNames: formerNamesOf(type),
    data: dataSchemas[type],
  }),
);

/** An event as the event log has it: with its id, and always with the current name of its type. */
export const recordedEventSchema = z
  .discriminatedUnion('event', describedEvents.map(recordedSchema) as [EventSchema, ...EventSchema[]])
  .meta({ id: 'RecordedEvent' });

function recordedSchema({ type, description, schema }: DescribedEvent): EventSchema {
  const id = z.string().describe('Sent as `Parley-Event-Id` with every delivery');
  return z.object({ id, ...schema.shape }).meta({ id: `Recorded${messageTitle(type)}`, description });
}

/** The event that a webhook receives when somebody tests it. It is not recorded and no subscription names it. */
export const TEST_EVENT = 'webhook.test';
const testData = z.object({ webhook: z.object({ id: z.string(), name: z.string() }) });

export const describedTestEvent = describeEvent({
  type: TEST_EVENT,
  description: 'Somebody tests a webhook. It goes to that webhook only, and is not in the event log.',
  formerNames: [],
  data: testData,
});

function describeEvent(given: Omit<DescribedEvent, 'schema'> & { readonly data: z.ZodObject }): DescribedEvent {
  const { data, ...described } = given;
  const { type, description } = described;
  const schema = z
    .object({
      event: z.literal(type),
      timestamp: z.string().describe('When it happened, ISO 8601 in UTC'),
      data,
    })
    .meta({ id: `${messageTitle(type)}Event`, description });
  return { ...described, schema };
}

/** `CallInitiated` for `call.initiated`. */
export function messageTitle(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join('');
}

const registrationStatusJson = enumJson(RegistrationStatus, registrationStatuses, 'not_required');

export function numberEventJson({
  id,
  number,
  registrationStatus,
}: NumberSnapshot): z.output<typeof numberEventSchema> {
  return { id, number, registration_status: registrationStatusJson(registrationStatus) };
}

export function threadEventJson({ phoneNumber, assignee, state }: ThreadHandling): z.output<typeof threadEventSchema> {
  return {
    phone_number: phoneNumber,
    assignee: assignee ? { id: assignee.id, name: assignee.name } : null,
    state: threadStateJson(state),
  };
}
