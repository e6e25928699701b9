import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  CallAnsweredSchema,
  CallDeletedSchema,
  CallEndedSchema,
  CallHeldSchema,
  CallInitiatedSchema,
  CallLostSchema,
  CallNoteChangedSchema,
  CallOutsideBusinessHoursSchema,
  CallQueuedSchema,
  CallResumedSchema,
  CallTranscriptionDoneSchema,
  CallUpdatedSchema,
  EmergencyCallPlacedSchema,
} from '@parley/proto/call_control/v1/call_events_pb';
import { CallLimitReachedSchema, UnusualCallsDetectedSchema } from '@parley/proto/call_control/v1/call_usage_events_pb';
import {
  DoNotDisturbChangedSchema,
  EmployeeStatusChangedSchema,
  EmployeeStatusEndedSchema,
} from '@parley/proto/call_control/v1/presence_events_pb';
import { RecordingPlayedSchema } from '@parley/proto/call_control/v1/recording_events_pb';
import {
  VoicemailCreatedSchema,
  VoicemailDeletedSchema,
  VoicemailTranscriptionDoneSchema,
  VoicemailUpdatedSchema,
} from '@parley/proto/call_control/v1/voicemail_events_pb';
import { CallerContextSavedSchema } from '@parley/proto/directory/v1/caller_context_events_pb';
import { CompanyDeletionRequestedSchema } from '@parley/proto/directory/v1/company_deletion_events_pb';
import { CompanyCreatedSchema, CompanyUpdatedSchema } from '@parley/proto/directory/v1/company_events_pb';
import {
  ContactCreatedSchema,
  ContactDeletedSchema,
  ContactUpdatedSchema,
} from '@parley/proto/directory/v1/contact_events_pb';
import {
  EmployeeCreatedSchema,
  EmployeeDeletedSchema,
  EmployeeUpdatedSchema,
} from '@parley/proto/directory/v1/employee_events_pb';
import { ErasureRequestedSchema } from '@parley/proto/directory/v1/erasure_events_pb';
import { RetentionChangedSchema } from '@parley/proto/directory/v1/retention_events_pb';
import { ExportDownloadedSchema, ExportRequestedSchema } from '@parley/proto/directory/v1/export_events_pb';
import { IntegrationRemovedSchema, IntegrationSavedSchema } from '@parley/proto/directory/v1/integration_events_pb';
import {
  AccountChangedSchema,
  ApiKeyCreatedSchema,
  CredentialRevokedSchema,
  EmployeeSignedInSchema,
  GrantCreatedSchema,
} from '@parley/proto/identity/v1/credential_events_pb';
import { CommentCreatedSchema } from '@parley/proto/messaging_inbox/v1/comment_events_pb';
import {
  MessageCreatedSchema,
  MessageReceivedSchema,
  MessageStatusChangedSchema,
  MessageUpdatedSchema,
} from '@parley/proto/messaging_inbox/v1/message_events_pb';
import { ThreadAssignedSchema, ThreadStateChangedSchema } from '@parley/proto/messaging_inbox/v1/thread_events_pb';
import {
  NumberCreatedSchema,
  NumberReleasedSchema,
  NumberUpdatedSchema,
  RegistrationApprovedSchema,
  RegistrationRejectedSchema,
} from '@parley/proto/numbers_routing/v1/number_events_pb';
import {
  SubscriptionCreatedSchema,
  SubscriptionDeletedSchema,
  SubscriptionUpdatedSchema,
} from '@parley/proto/webhooks/v1/subscription_events_pb';

const callControlEvents = {
  'call-control.call.initiated': CallInitiatedSchema,
  'call-control.call.outside_business_hours': CallOutsideBusinessHoursSchema,
  'call-control.call.queued': CallQueuedSchema,
  'call-control.call.answered': CallAnsweredSchema,
  'call-control.call.ended': CallEndedSchema,
  'call-control.call.lost': CallLostSchema,
  'call-control.call.transcription_done': CallTranscriptionDoneSchema,
  'call-control.call.held': CallHeldSchema,
  'call-control.call.resumed': CallResumedSchema,
  'call-control.call.note_changed': CallNoteChangedSchema,
  'call-control.call.updated': CallUpdatedSchema,
  'call-control.call.deleted': CallDeletedSchema,
  'call-control.call_usage.limit_reached': CallLimitReachedSchema,
  'call-control.call_usage.unusual': UnusualCallsDetectedSchema,
  'call-control.do_not_disturb.changed': DoNotDisturbChangedSchema,
  'call-control.emergency_call.placed': EmergencyCallPlacedSchema,
  'call-control.employee_status.changed': EmployeeStatusChangedSchema,
  'call-control.employee_status.ended': EmployeeStatusEndedSchema,
  'call-control.recording.played': RecordingPlayedSchema,
  'call-control.voicemail.created': VoicemailCreatedSchema,
  'call-control.voicemail.transcription_done': VoicemailTranscriptionDoneSchema,
  'call-control.voicemail.updated': VoicemailUpdatedSchema,
  'call-control.voicemail.deleted': VoicemailDeletedSchema,
};

const directoryEvents = {
  'directory.caller_context.saved': CallerContextSavedSchema,
  'directory.company.created': CompanyCreatedSchema,
  'directory.company.updated': CompanyUpdatedSchema,
  'directory.company_deletion.requested': CompanyDeletionRequestedSchema,
  'directory.contact.created': ContactCreatedSchema,
  'directory.contact.updated': ContactUpdatedSchema,
  'directory.contact.deleted': ContactDeletedSchema,
  'directory.employee.created': EmployeeCreatedSchema,
  'directory.employee.updated': EmployeeUpdatedSchema,
  'directory.employee.deleted': EmployeeDeletedSchema,
  'directory.retention.changed': RetentionChangedSchema,
  'directory.erasure.requested': ErasureRequestedSchema,
  'directory.export.requested': ExportRequestedSchema,
  'directory.export.downloaded': ExportDownloadedSchema,
  'directory.integration.saved': IntegrationSavedSchema,
  'directory.integration.removed': IntegrationRemovedSchema,
};

const identityEvents = {
  'identity.account.changed': AccountChangedSchema,
  'identity.api_key.created': ApiKeyCreatedSchema,
  'identity.credential.revoked': CredentialRevokedSchema,
  'identity.employee.signed_in': EmployeeSignedInSchema,
  'identity.grant.created': GrantCreatedSchema,
};

const messagingInboxEvents = {
  'messaging-inbox.comment.created': CommentCreatedSchema,
  'messaging-inbox.message.received': MessageReceivedSchema,
  'messaging-inbox.message.created': MessageCreatedSchema,
  'messaging-inbox.message.status_changed': MessageStatusChangedSchema,
  'messaging-inbox.message.updated': MessageUpdatedSchema,
  'messaging-inbox.thread.assigned': ThreadAssignedSchema,
  'messaging-inbox.thread.state_changed': ThreadStateChangedSchema,
};

const numbersRoutingEvents = {
  'numbers-routing.number.created': NumberCreatedSchema,
  'numbers-routing.number.updated': NumberUpdatedSchema,
  'numbers-routing.number.released': NumberReleasedSchema,
  'numbers-routing.registration.approved': RegistrationApprovedSchema,
  'numbers-routing.registration.rejected': RegistrationRejectedSchema,
};

const webhooksEvents = {
  'webhooks.subscription.created': SubscriptionCreatedSchema,
  'webhooks.subscription.updated': SubscriptionUpdatedSchema,
  'webhooks.subscription.deleted': SubscriptionDeletedSchema,
};

/** Every event type, `<service>.<noun>.<fact>`, and the message it carries. A new event is a line here. */
const eventTypes = {
  ...callControlEvents,
  ...directoryEvents,
  ...identityEvents,
  ...messagingInboxEvents,
  ...numbersRoutingEvents,
  ...webhooksEvents,
} satisfies Readonly<Record<`${string}.${string}.${string}`, DescMessage>>;

type Schemas = typeof eventTypes;

export type EventType = keyof Schemas;

/** For a follower of all events. */
export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[];

/** The decoded message of an event type. */
export type EventMessage<Type extends EventType> = MessageShape<Schemas[Type]>;

/** The argument of `encodeMessage` for an event type. */
export type EventMessageInit<Type extends EventType> = MessageInitShape<Schemas[Type]>;

/** An event type with the binary form of its message. */
export interface EncodedMessage {
  readonly type: EventType;
  readonly data: Uint8Array;
}

export function encodeMessage<Type extends EventType>(type: Type, message: EventMessageInit<Type>): EncodedMessage {
  const schema: DescMessage = eventTypes[type];
  return { type, data: toBinary(schema, create(schema, message as MessageInitShape<DescMessage>)) };
}

/** Throws when the bytes are not a message of the type. */
export function decodeMessage<Type extends EventType>(type: Type, data: Uint8Array): EventMessage<Type> {
  return fromBinary(eventTypes[type] as DescMessage, data) as EventMessage<Type>;
}

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type);
}
