import { create } from '@bufbuild/protobuf';
import {
  auditEventOf,
  auditEventToProto,
  decodeMessage,
  type Event,
  type EventMessage,
  type EventType as DomainEventType,
  eventTypeNames,
} from '@parley/events';
import type { Session } from '@parley/proto/assistant/v1/sessions_pb';
import { type Call, CallState } from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { ThreadHandling } from '@parley/proto/messaging_inbox/v1/thread_events_pb';
import { AuditEventSchema } from '@parley/proto/reports/v1/audit_events_pb';
import {
  assistantSessionJson,
  auditEventJson,
  callEventJson,
  contactJson,
  employeeJson,
  type EventData,
  type EventType,
  messageJson,
  notesJson,
  numberEventJson,
  threadEventJson,
  voicemailEventJson,
} from '@parley/public-json';

/** Data that payloads contain besides the fact of the event. */
export interface PayloadSources {
  /** The body of a text, which no event carries; undefined while texting is off for the company. */
  messageText(companyId: string, messageId: string): Promise<string | undefined>;
  /** A call with its transcript and the signed address of its recording, which no event carries either. */
  callContent(companyId: string, callId: string): Promise<Call | undefined>;
  /** The session of a call with an assistant: no event has what was said in it. Undefined once it was removed. */
  sessionContent(companyId: string, callId: string): Promise<Session | undefined>;
  /** The transcription of a voicemail, which no event carries either. */
  voicemailText(companyId: string, voicemailId: string): Promise<string | undefined>;
}

/** Converts an event of a service to the `data` of a webhook event. */
export interface Payload {
  /** The type of the service's event, `<service>.<noun>.<fact>`. */
  readonly fact: DomainEventType;
  readonly event: EventType;
  /** Decides whether an event of the type is such a webhook event, where that is known without decoding its message. */
  isOf?(fact: Event): boolean;
  /** Null when this fact is no such event. */
  data(fact: Event, sources: PayloadSources): Promise<object | null>;
}

/** Whatever fact carries an entry of the audit log. Delivering one changes nothing that has an entry, so that none follows from it. */
const auditPayloads: readonly Payload[] = eventTypeNames.map((fact) => ({
  fact,
  event: 'audit.created',
  isOf: ({ audit }) => audit !== undefined,
  async data(event) {
    const entry = auditEventOf(event);
    return entry ? { audit_event: auditEventJson(create(AuditEventSchema, auditEventToProto(entry))) } : null;
  },
}));

/** Every event that can be sent. Every event of a call carries the call as it was then. */
export const payloads: readonly Payload[] = [
  definePayload('call-control.call.initiated', 'call.initiated', callData),
  definePayload('call-control.call.outside_business_hours', 'call.outside_business_hours', callData),
  definePayload('call-control.call.queued', 'call.queued', callData),
  definePayload('call-control.call.answered', 'call.answered', callData),
  definePayload('call-control.call.ended', 'call.ended', callData),
  definePayload('call-control.call.lost', 'call.lost', callData),
  definePayload('call-control.call.transcription_done', 'call.transcription_done', callData),
  definePayload('call-control.call.note_changed', 'call.note_changed', noteData),
  definePayload('call-control.call.held', 'call.held', callData),
  definePayload('call-control.call.resumed', 'call.resumed', callData),
  definePayload('call-control.voicemail.created', 'voicemail.new', voicemailData),
  definePayload('call-control.voicemail.transcription_done', 'voicemail.transcription_done', voicemailData),
  definePayload('directory.contact.created', 'contact.created', contactData),
  definePayload('directory.contact.updated', 'contact.updated', contactData),
  definePayload('directory.contact.deleted', 'contact.deleted', contactData),
  definePayload('call-control.employee_status.changed', 'employee.status.changed', ({ employee, presence }) => ({
    employee: employeeJson(present(employee, 'an employee'), present(presence, 'a presence')),
  })),
  definePayload('numbers-routing.registration.approved', 'number.registration_approved', ({ number }) => ({
    main_number: numberEventJson(present(number, 'its number')),
  })),
  definePayload('numbers-routing.registration.rejected', 'number.registration_rejected', ({ number, reason }) => ({
    main_number: numberEventJson(present(number, 'its number')),
    reason,
  })),
  definePayload('messaging-inbox.message.received', 'message.received', messageData),
  definePayload('messaging-inbox.message.status_changed', 'message.status_changed', messageData),
  definePayload('messaging-inbox.thread.assigned', 'thread.assigned', threadData),
  definePayload('messaging-inbox.thread.state_changed', 'thread.state_changed', threadData),
  definePayload('assistant.session.started', 'assistant.session_started', ({ session }, sources) =>
    sessionData(session, sources, []),
  ),
  definePayload('assistant.session.message_taken', 'assistant.message_taken', ({ session }, sources) =>
    sessionData(session, sources, ['message']),
  ),
  definePayload('assistant.session.ended', 'assistant.session_ended', ({ session }, sources) =>
    sessionData(session, sources, ['message', 'summary']),
  ),
  // Last: the position of a fact's other events stays the same.
  ...auditPayloads,
];

/** The whole of what is sent: the three envelope keys and nothing else. */
export function webhookBody(event: string, occurredAt: Date, data: object): string {
  return JSON.stringify({ event, timestamp: occurredAt.toISOString(), data });
}

/** Null when the fact is no such event. */
type MadeData<Type extends EventType> = EventData<Type> | null;

/** Ties a fact's message to the event it becomes. */
function definePayload<Fact extends DomainEventType, Type extends EventType>(
  fact: Fact,
  event: Type,
  data: (message: EventMessage<Fact>, sources: PayloadSources) => MadeData<Type> | Promise<MadeData<Type>>,
): Payload {
  return { fact, event, data: async ({ data: bytes }, sources) => data(decodeMessage(fact, bytes), sources) };
}

function present<Value>(value: Value | undefined, what: string): Value {
  if (!value) throw new Error(`an event without ${what}`);
  return value;
}

async function callData(fact: { call?: Call }, { callContent }: PayloadSources): Promise<EventData<'call.ended'>> {
  const call = present(fact.call, 'its call');
  // Before its end nothing of a call is recorded completely, and nothing ever of one that nobody answered.
  const hasSession = call.assistant?.sessionId !== undefined;
  const mayBeRecorded = call.state === CallState.ENDED && (call.answeredAt !== undefined || hasSession);
  const content = mayBeRecorded ? await callContent(call.companyId, call.id) : undefined;
  // An event that happened before the transcription is delivered without it, however late. What an assistant was told is there at the end.
  const isKnown = call.hasTranscription || hasSession;
  const { summary, transcription, transcriptionSegments } = (isKnown && content) || call;
  return callEventJson({
    ...call,
    summary,
    transcription,
    transcriptionSegments,
    hasTranscription: transcription !== undefined,
    recordingUrl: content?.recordingUrl,
  });
}

/** The call as it is now, and the session as it was; what was said comes from where it is stored, and is left out once it was removed. */
async function sessionData(
  session: Session | undefined,
  { callContent, sessionContent }: PayloadSources,
  known: readonly ('message' | 'summary')[],
): Promise<MadeData<'assistant.session_ended'>> {
  const fact = present(session, 'its session');
  const [call, content] = await Promise.all([
    callContent(fact.companyId, fact.callId),
    sessionContent(fact.companyId, fact.callId),
  ]);
  if (!call || !content) return null;
  const { callerName, callerContactId, message, summary } = content;
  const shown: Session = {
    ...fact,
    ...(callerName !== undefined && { callerName }),
    ...(callerContactId !== undefined && { callerContactId }),
    ...(message && known.includes('message') && { message }),
    ...(summary !== undefined && known.includes('summary') && { summary }),
  };
  return { ...callEventJson(call), session: assistantSessionJson(shown) };
}

/** With note and tags as they are when it is sent: no event carries them. */
async function noteData(fact: { call?: Call }, sources: PayloadSources): Promise<EventData<'call.note_changed'>> {
  const data = await callData(fact, sources);
  const content = fact.call && (await sources.callContent(fact.call.companyId, fact.call.id));
  return { ...data, ...notesJson(content ?? { tags: [] }) };
}

async function voicemailData(
  fact: { call?: Call; voicemail?: Voicemail },
  sources: PayloadSources,
): Promise<EventData<'voicemail.new'>> {
  const voicemail = present(fact.voicemail, 'its voicemail');
  // An event that happened before the transcription is delivered without it.
  const { id, companyId, hasTranscription } = voicemail;
  const transcription = hasTranscription ? await sources.voicemailText(companyId, id) : undefined;
  return { ...(await callData(fact, sources)), voicemail: voicemailEventJson({ ...voicemail, transcription }) };
}

function contactData({ contact }: { contact?: Contact }): EventData<'contact.created'> {
  return { contact: contactJson(present(contact, 'its contact')) };
}

async function messageData(
  fact: { message?: Message },
  { messageText }: PayloadSources,
): Promise<MadeData<'message.received'>> {
  const message = present(fact.message, 'its message');
  const text = await messageText(message.companyId, message.id);
  return text === undefined ? null : { message: messageJson({ ...message, text }) };
}

function threadData(fact: { thread?: ThreadHandling }): EventData<'thread.assigned'> {
  return { thread: threadEventJson(present(fact.thread, 'its thread')) };
}
