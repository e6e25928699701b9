import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import * as assistantEvents from '@parley/proto/assistant/v1/assistant_events_pb';
import * as callEvents from '@parley/proto/call_control/v1/call_events_pb';
import * as callUsageEvents from '@parley/proto/call_control/v1/call_usage_events_pb';
import * as presenceEvents from '@parley/proto/call_control/v1/presence_events_pb';
import * as recordingEvents from '@parley/proto/call_control/v1/recording_events_pb';
import * as voicemailEvents from '@parley/proto/call_control/v1/voicemail_events_pb';
import * as callerContextEvents from '@parley/proto/directory/v1/caller_context_events_pb';
import * as companyDeletionEvents from '@parley/proto/directory/v1/company_deletion_events_pb';
import * as companyEvents from '@parley/proto/directory/v1/company_events_pb';
import * as contactEvents from '@parley/proto/directory/v1/contact_events_pb';
import * as employeeEvents from '@parley/proto/directory/v1/employee_events_pb';
import * as erasureEvents from '@parley/proto/directory/v1/erasure_events_pb';
import * as retentionEvents from '@parley/proto/directory/v1/retention_events_pb';
import * as exportEvents from '@parley/proto/directory/v1/export_events_pb';
import * as integrationEvents from '@parley/proto/directory/v1/integration_events_pb';
import * as credentialEvents from '@parley/proto/identity/v1/credential_events_pb';
import * as signInPolicyEvents from '@parley/proto/identity/v1/sign_in_policy_events_pb';
import * as commentEvents from '@parley/proto/messaging_inbox/v1/comment_events_pb';
import * as messageEvents from '@parley/proto/messaging_inbox/v1/message_events_pb';
import * as threadEvents from '@parley/proto/messaging_inbox/v1/thread_events_pb';
import * as numberEvents from '@parley/proto/numbers_routing/v1/number_events_pb';
import * as subscriptionEvents from '@parley/proto/webhooks/v1/subscription_events_pb';

/** Every event type, `<service>.<noun>.<fact>`, and the message it carries. A new event is a line here. */
const eventTypes = {
  'assistant.assistant.created': assistantEvents.AssistantCreatedSchema,
  'assistant.assistant.updated': assistantEvents.AssistantUpdatedSchema,
  'assistant.assistant.deleted': assistantEvents.AssistantDeletedSchema,
  'assistant.knowledge_entry.created': assistantEvents.KnowledgeEntryCreatedSchema,
  'assistant.knowledge_entry.updated': assistantEvents.KnowledgeEntryUpdatedSchema,
  'assistant.knowledge_entry.deleted': assistantEvents.KnowledgeEntryDeletedSchema,
  'assistant.endpoint.changed': assistantEvents.EndpointChangedSchema,
  'assistant.endpoint.removed': assistantEvents.EndpointRemovedSchema,
  'assistant.endpoint.spend_limit_near': assistantEvents.EndpointSpendLimitNearSchema,
  'assistant.session.started': assistantEvents.SessionStartedSchema,
  'assistant.session.message_taken': assistantEvents.SessionMessageTakenSchema,
  'assistant.session.ended': assistantEvents.SessionEndedSchema,
  'call-control.call.initiated': callEvents.CallInitiatedSchema,
  'call-control.call.outside_business_hours': callEvents.CallOutsideBusinessHoursSchema,
  'call-control.call.queued': callEvents.CallQueuedSchema,
  'call-control.call.answered': callEvents.CallAnsweredSchema,
  'call-control.call.ended': callEvents.CallEndedSchema,
  'call-control.call.lost': callEvents.CallLostSchema,
  'call-control.call.transcription_done': callEvents.CallTranscriptionDoneSchema,
  'call-control.call.held': callEvents.CallHeldSchema,
  'call-control.call.resumed': callEvents.CallResumedSchema,
  'call-control.call.note_changed': callEvents.CallNoteChangedSchema,
  'call-control.call.updated': callEvents.CallUpdatedSchema,
  'call-control.call.deleted': callEvents.CallDeletedSchema,
  'call-control.call_usage.limit_reached': callUsageEvents.CallLimitReachedSchema,
  'call-control.call_usage.unusual': callUsageEvents.UnusualCallsDetectedSchema,
  'call-control.do_not_disturb.changed': presenceEvents.DoNotDisturbChangedSchema,
  'call-control.emergency_call.placed': callEvents.EmergencyCallPlacedSchema,
  'call-control.employee_status.changed': presenceEvents.EmployeeStatusChangedSchema,
  'call-control.employee_status.ended': presenceEvents.EmployeeStatusEndedSchema,
  'call-control.recording.played': recordingEvents.RecordingPlayedSchema,
  'call-control.voicemail.created': voicemailEvents.VoicemailCreatedSchema,
  'call-control.voicemail.transcription_done': voicemailEvents.VoicemailTranscriptionDoneSchema,
  'call-control.voicemail.updated': voicemailEvents.VoicemailUpdatedSchema,
  'call-control.voicemail.deleted': voicemailEvents.VoicemailDeletedSchema,
  'directory.caller_context.saved': callerContextEvents.CallerContextSavedSchema,
  'directory.company.created': companyEvents.CompanyCreatedSchema,
  'directory.company.updated': companyEvents.CompanyUpdatedSchema,
  'directory.company_deletion.requested': companyDeletionEvents.CompanyDeletionRequestedSchema,
  'directory.contact.created': contactEvents.ContactCreatedSchema,
  'directory.contact.updated': contactEvents.ContactUpdatedSchema,
  'directory.contact.deleted': contactEvents.ContactDeletedSchema,
  'directory.employee.created': employeeEvents.EmployeeCreatedSchema,
  'directory.employee.updated': employeeEvents.EmployeeUpdatedSchema,
  'directory.employee.deleted': employeeEvents.EmployeeDeletedSchema,
  'directory.retention.changed': retentionEvents.RetentionChangedSchema,
  'directory.erasure.requested': erasureEvents.ErasureRequestedSchema,
  'directory.export.requested': exportEvents.ExportRequestedSchema,
  'directory.export.downloaded': exportEvents.ExportDownloadedSchema,
  'directory.integration.saved': integrationEvents.IntegrationSavedSchema,
  'directory.integration.removed': integrationEvents.IntegrationRemovedSchema,
  'identity.account.changed': credentialEvents.AccountChangedSchema,
  'identity.api_key.created': credentialEvents.ApiKeyCreatedSchema,
  'identity.credential.revoked': credentialEvents.CredentialRevokedSchema,
  'identity.employee.signed_in': credentialEvents.EmployeeSignedInSchema,
  'identity.grant.created': credentialEvents.GrantCreatedSchema,
  'identity.sign_in_policy.changed': signInPolicyEvents.SignInPolicyChangedSchema,
  'messaging-inbox.comment.created': commentEvents.CommentCreatedSchema,
  'messaging-inbox.message.received': messageEvents.MessageReceivedSchema,
  'messaging-inbox.message.created': messageEvents.MessageCreatedSchema,
  'messaging-inbox.message.status_changed': messageEvents.MessageStatusChangedSchema,
  'messaging-inbox.message.updated': messageEvents.MessageUpdatedSchema,
  'messaging-inbox.thread.assigned': threadEvents.ThreadAssignedSchema,
  'messaging-inbox.thread.state_changed': threadEvents.ThreadStateChangedSchema,
  'numbers-routing.number.created': numberEvents.NumberCreatedSchema,
  'numbers-routing.number.updated': numberEvents.NumberUpdatedSchema,
  'numbers-routing.number.released': numberEvents.NumberReleasedSchema,
  'numbers-routing.registration.approved': numberEvents.RegistrationApprovedSchema,
  'numbers-routing.registration.rejected': numberEvents.RegistrationRejectedSchema,
  'webhooks.subscription.created': subscriptionEvents.SubscriptionCreatedSchema,
  'webhooks.subscription.updated': subscriptionEvents.SubscriptionUpdatedSchema,
  'webhooks.subscription.deleted': subscriptionEvents.SubscriptionDeletedSchema,
  'webhooks.subscription.event_sent': subscriptionEvents.SubscriptionEventSentSchema,
  'webhooks.subscription.failed_sent_again': subscriptionEvents.SubscriptionFailedSentAgainSchema,
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
