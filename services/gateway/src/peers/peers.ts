import { AssistantService } from '@parley/proto/assistant/v1/assistants_pb';
import { AssistantEndpointService } from '@parley/proto/assistant/v1/endpoint_pb';
import { KnowledgeService } from '@parley/proto/assistant/v1/knowledge_pb';
import { SessionService as AssistantSessionService } from '@parley/proto/assistant/v1/sessions_pb';
import { TakeoverService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { SwitchAdminService } from '@parley/proto/call_control/v1/switches_pb';
import { LiveReportService } from '@parley/proto/call_control/v1/live_report_pb';
import { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import { CallRecordService } from '@parley/proto/call_control/v1/call_records_pb';
import { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { SupervisionService } from '@parley/proto/call_control/v1/supervision_pb';
import { TransferService } from '@parley/proto/call_control/v1/transfers_pb';
import { RecordingAddressService, RecordingService } from '@parley/proto/call_control/v1/recordings_pb';
import { VoicemailService } from '@parley/proto/call_control/v1/voicemails_service_pb';
import { CallerContextService } from '@parley/proto/directory/v1/caller_context_pb';
import { CompanyAdminService, CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { ContactImportService } from '@parley/proto/directory/v1/contact_imports_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { EmployeeLookupService, EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import { CompanyDeletionService } from '@parley/proto/directory/v1/company_deletions_pb';
import { RetentionService } from '@parley/proto/directory/v1/retention_pb';
import { ErasureService } from '@parley/proto/directory/v1/erasures_pb';
import { ExportArchiveService, ExportService } from '@parley/proto/directory/v1/exports_pb';
import { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import { ApiKeyAdminService, ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { UsedCredentialService } from '@parley/proto/identity/v1/deactivations_pb';
import { DeviceAuthorizationService } from '@parley/proto/identity/v1/device_authorizations_pb';
import { EmailConfirmationService } from '@parley/proto/identity/v1/email_confirmations_pb';
import { ConnectedAppService, OAuthClientAdminService, OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { SessionService, SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { SignInPolicyService } from '@parley/proto/identity/v1/sign_in_policies_pb';
import { TwoFactorAdminService } from '@parley/proto/identity/v1/two_factor_pb';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { InboxAdminService, InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { MessageSearchService } from '@parley/proto/messaging_inbox/v1/message_search_pb';
import { MessageService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { NotificationService } from '@parley/proto/messaging_inbox/v1/notifications_pb';
import { PushSubscriptionService } from '@parley/proto/messaging_inbox/v1/push_subscriptions_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { TextSnippetService } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import { ClosureService, HolidayService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { BusinessNumberAdminService, BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { PromptAudioService, VoicePreviewService } from '@parley/proto/numbers_routing/v1/prompt_audio_pb';
import { RouteExplanationService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { TextingSettingsService } from '@parley/proto/numbers_routing/v1/texting_settings_pb';
import { DeadLetterService } from '@parley/proto/operations/v1/dead_letters_pb';
import { AuditEventService } from '@parley/proto/reports/v1/audit_events_pb';
import { ReportAdminService, ReportService } from '@parley/proto/reports/v1/reports_pb';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { EventLogService } from '@parley/proto/webhooks/v1/event_log_pb';
import { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { Channel } from '@parley/rpc';
import type { Config } from '../config.ts';
import { livePresences } from '../presence/live-presences.ts';

/** Every service behind the gateway, by name. */
export type Channels = ReturnType<typeof openChannels>;

export function openChannels(connect: (address: string) => Channel, config: Config) {
  return {
    identity: connect(config.IDENTITY_ADDRESS),
    directory: connect(config.DIRECTORY_ADDRESS),
    'numbers-routing': connect(config.NUMBERS_ROUTING_ADDRESS),
    'call-control': connect(config.CALL_CONTROL_ADDRESS),
    'messaging-inbox': connect(config.MESSAGING_INBOX_ADDRESS),
    webhooks: connect(config.WEBHOOKS_ADDRESS),
    reports: connect(config.REPORTS_ADDRESS),
    assistant: connect(config.ASSISTANT_ADDRESS),
    speech: connect(config.SPEECH_ADDRESS),
  };
}

/** The clients of routes, by noun. */
export type Clients = ReturnType<typeof openClients>;

export function openClients(channels: Channels) {
  const { assistant, directory, identity, reports, webhooks } = channels;
  const { 'messaging-inbox': messagingInbox, 'numbers-routing': numbersRouting } = channels;
  return {
    apiKeyAdmin: identity.client(ApiKeyAdminService),
    apiKeys: identity.client(ApiKeyService),
    assistantEndpoint: assistant.client(AssistantEndpointService),
    assistants: assistant.client(AssistantService),
    assistantSessions: assistant.client(AssistantSessionService),
    auditEvents: reports.client(AuditEventService),
    businessNumberAdmin: numbersRouting.client(BusinessNumberAdminService),
    businessNumbers: numbersRouting.client(BusinessNumberService),
    calls: channels['call-control'].client(CallService),
    callRecords: channels['call-control'].client(CallRecordService),
    callerContext: directory.client(CallerContextService),
    closures: numbersRouting.client(ClosureService),
    comments: messagingInbox.client(CommentService),
    companies: directory.client(CompanyService),
    companyAdmin: directory.client(CompanyAdminService),
    connectedApps: identity.client(ConnectedAppService),
    contactImports: directory.client(ContactImportService),
    contacts: directory.client(ContactService),
    credentials: identity.client(CredentialService),
    holidays: numbersRouting.client(HolidayService),
    /** Each service serves the dead letters of its own followers. */
    deadLetters: {
      identity: identity.client(DeadLetterService),
      directory: directory.client(DeadLetterService),
      'numbers-routing': numbersRouting.client(DeadLetterService),
      'call-control': channels['call-control'].client(DeadLetterService),
      'messaging-inbox': messagingInbox.client(DeadLetterService),
      webhooks: webhooks.client(DeadLetterService),
      reports: reports.client(DeadLetterService),
      assistant: assistant.client(DeadLetterService),
    },
    deliveries: webhooks.client(DeliveryService),
    deviceAuthorizations: identity.client(DeviceAuthorizationService),
    doNotDisturb: channels['call-control'].client(EmployeePresenceService),
    emailConfirmations: identity.client(EmailConfirmationService),
    employeeLookup: directory.client(EmployeeLookupService),
    employees: directory.client(EmployeeService),
    erasures: directory.client(ErasureService),
    eventLog: webhooks.client(EventLogService),
    exportArchives: directory.client(ExportArchiveService),
    exports: directory.client(ExportService),
    retention: directory.client(RetentionService),
    companyDeletions: directory.client(CompanyDeletionService),
    inbox: messagingInbox.client(InboxService),
    encodedInbox: messagingInbox.encodedClient(InboxService),
    inboxAdmin: messagingInbox.client(InboxAdminService),
    integrationAdmin: directory.client(IntegrationAdminService),
    knowledge: assistant.client(KnowledgeService),
    liveReports: channels['call-control'].client(LiveReportService),
    messages: messagingInbox.client(MessageService),
    switchAdmin: channels['call-control'].client(SwitchAdminService),
    messageSearch: messagingInbox.client(MessageSearchService),
    notifications: messagingInbox.client(NotificationService),
    oauth: identity.client(OAuthService),
    oauthClientAdmin: identity.client(OAuthClientAdminService),
    passwordAdmin: identity.client(PasswordAdminService),
    presences: livePresences(channels['call-control'].client(EmployeePresenceService)),
    promptAudio: numbersRouting.client(PromptAudioService),
    providerCallbacks: messagingInbox.client(ProviderCallbackService),
    pushSubscriptions: messagingInbox.client(PushSubscriptionService),
    recordingAddresses: channels['call-control'].client(RecordingAddressService),
    recordings: channels['call-control'].client(RecordingService),
    reportAdmin: reports.client(ReportAdminService),
    reports: reports.client(ReportService),
    routeExplanations: numbersRouting.client(RouteExplanationService),
    sessions: identity.client(SessionService),
    signIn: identity.client(SignInService),
    signInPolicies: identity.client(SignInPolicyService),
    softphoneSessions: channels['call-control'].client(SoftphoneSessionService),
    subscriptions: webhooks.client(SubscriptionService),
    textSnippets: messagingInbox.client(TextSnippetService),
    textingSettings: numbersRouting.client(TextingSettingsService),
    twoFactorAdmin: identity.client(TwoFactorAdminService),
    supervisions: channels['call-control'].client(SupervisionService),
    takeovers: channels['call-control'].client(TakeoverService),
    transfers: channels['call-control'].client(TransferService),
    usedCredentials: identity.client(UsedCredentialService),
    voicemails: channels['call-control'].client(VoicemailService),
    voicePreviews: numbersRouting.client(VoicePreviewService),
  };
}
