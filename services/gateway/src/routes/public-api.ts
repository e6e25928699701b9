import type { Endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { assistantEndpoints } from './assistants/assistant-endpoints.ts';
import { auditEventEndpoints } from './audit-events/audit-event-endpoints.ts';
import { businessNumberEndpoints } from './business-numbers/business-number-endpoints.ts';
import { callEndpoints } from './calls/call-endpoints.ts';
import { callerContextEndpoints } from './caller-context/caller-context-endpoints.ts';
import { companyEndpoints } from './company/company-endpoints.ts';
import { contactEndpoints } from './contacts/contact-endpoints.ts';
import { employeeEndpoints } from './employees/employee-endpoints.ts';
import { pushSubscriptionEndpoints } from './push-subscriptions/push-subscription-endpoints.ts';
import { eventEndpoints } from './events/event-endpoints.ts';
import { reportEndpoints } from './reports/report-endpoints.ts';
import { assertSdkMethods } from './sdk-methods.ts';
import { softphoneSessionEndpoints } from './softphone-sessions/softphone-session-endpoints.ts';
import { inboxEndpoints } from './inbox/inbox-endpoints.ts';
import { messageEndpoints } from './messages/message-endpoints.ts';
import { erasureEndpoints } from './privacy/erasure-endpoints.ts';
import { exportEndpoints } from './privacy/export-endpoints.ts';
import { retentionEndpoints } from './privacy/retention-endpoints.ts';
import { signInPolicyEndpoints } from './sign-in/sign-in-policy-endpoints.ts';
import { textSnippetEndpoints } from './text-snippets/text-snippet-endpoints.ts';
import { voicemailEndpoints } from './voicemails/voicemail-endpoints.ts';
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts';

/** Everything under /api/v1, noun by noun. */
export function publicEndpoints(
  clients: Clients,
  evict: EvictCredential,
  publicUrl: string,
): Endpoint<EmployeePrincipal>[] {
  const endpoints = [
    ...tagged('Assistants', assistantEndpoints(clients)),
    ...tagged('Audit log', auditEventEndpoints(clients)),
    ...tagged('Business numbers', businessNumberEndpoints(clients)),
    ...tagged('Calls', callEndpoints(clients)),
    ...tagged('Caller context', callerContextEndpoints(clients)),
    ...tagged('Company', companyEndpoints(clients)),
    ...tagged('Contacts', contactEndpoints(clients)),
    ...tagged('Employees', employeeEndpoints(clients, evict)),
    ...tagged('Push messages', pushSubscriptionEndpoints(clients)),
    ...tagged('Softphone', softphoneSessionEndpoints(clients)),
    ...tagged('Inbox', inboxEndpoints(clients)),
    ...tagged('Messages', messageEndpoints(clients)),
    ...tagged('Privacy', erasureEndpoints(clients)),
    ...tagged('Privacy', exportEndpoints(clients, publicUrl)),
    ...tagged('Privacy', retentionEndpoints(clients)),
    ...tagged('Reports', reportEndpoints(clients)),
    ...tagged('Sign-in', signInPolicyEndpoints(clients)),
    ...tagged('Text snippets', textSnippetEndpoints(clients)),
    ...tagged('Voicemails', voicemailEndpoints(clients)),
    ...tagged('Webhooks', webhookEndpoints(clients)),
    ...tagged('Events', eventEndpoints(clients)),
  ];
  assertSdkMethods(endpoints);
  return endpoints;
}

function tagged(tag: string, endpoints: readonly Endpoint<EmployeePrincipal>[]): Endpoint<EmployeePrincipal>[] {
  return endpoints.map((endpoint) => ({ ...endpoint, tag }));
}

/** In the order of the API reference. */
export const publicTags = [
  {
    name: 'Assistants',
    description: 'Assistants that answer the phone, what the company wrote down for them, and their language model.',
  },
  { name: 'Business numbers', description: 'Phone numbers of the company and the routing of calls to them.' },
  { name: 'Calls', description: 'Phone calls, the active call of an employee, and warm transfers.' },
  { name: 'Caller context', description: 'Data about a caller from connected systems.' },
  { name: 'Company', description: 'The company account.' },
  { name: 'Contacts', description: 'The address book of the company.' },
  { name: 'Employees', description: 'The employees of the company, their presence and do-not-disturb.' },
  { name: 'Push messages', description: 'The browsers that show push messages (Web Push) of an employee.' },
  { name: 'Softphone', description: 'Credentials for the softphones of an employee.' },
  { name: 'Inbox', description: 'Calls, voicemails and texts, grouped by external phone number.' },
  { name: 'Messages', description: 'Texts to and from customers.' },
  { name: 'Privacy', description: 'Erasure of people outside the company, and how long data is kept.' },
  { name: 'Reports', description: 'What happened on the phone, by time, business number or employee.' },
  { name: 'Sign-in', description: 'How the employees of the company may sign in.' },
  { name: 'Text snippets', description: 'Reusable texts, shared by the company.' },
  { name: 'Voicemails', description: 'Voicemails of callers.' },
  { name: 'Webhooks', description: 'Subscriptions to events, and the log of their deliveries.' },
  { name: 'Events', description: 'Everything that webhooks can get, in one final order, for 30 days.' },
  { name: 'Audit log', description: 'Who changed what in the company, and through which credential.' },
  {
    name: 'OAuth',
    description:
      'OAuth 2.0: authorization code flow with PKCE, and the device authorization grant. The access token is the `bearer` credential.',
  },
  { name: 'Provider callbacks', description: 'What the SMS provider sends, with its signature.' },
];

export const securitySchemes = {
  api_key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  bearer: { type: 'http', scheme: 'bearer' },
};
