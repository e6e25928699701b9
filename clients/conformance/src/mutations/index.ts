import { auditMutations } from './audit.ts';
import { authenticationMutations } from './authentication.ts';
import { businessHoursMutations } from './business-hours.ts';
import { businessNumberMutations } from './business-numbers.ts';
import { callFlowMutations } from './call-flows.ts';
import { callerContextMutations } from './caller-context.ts';
import { callMutations } from './calls.ts';
import { companyMutations } from './company.ts';
import { contactMutations } from './contacts.ts';
import { deliveryMutations } from './deliveries.ts';
import { discoveryMutations } from './discovery.ts';
import { doNotDisturbMutations } from './do-not-disturb.ts';
import { employeeMutations } from './employees.ts';
import { errorMutations } from './errors.ts';
import { eventMutations } from './events.ts';
import { inboxMutations } from './inbox.ts';
import { isolationMutations } from './isolation.ts';
import { limitMutations } from './limits.ts';
import { mcpMutations } from './mcp.ts';
import { messageMutations } from './messages.ts';
import type { Mutation } from './mutation.ts';
import { oauthMutations } from './oauth.ts';
import { officeMutations } from './office.ts';
import { operatorMutations } from './operator.ts';
import { privacyMutations } from './privacy.ts';
import { reportMutations } from './reports.ts';
import { roleMutations } from './roles.ts';
import { routingMutations } from './routing.ts';
import { snippetMutations } from './snippets.ts';
import { textingMutations } from './texting.ts';
import { transferMutations } from './transfers.ts';
import { versioningMutations } from './versioning.ts';
import { voicePreviewMutations } from './voice-previews.ts';
import { voicemailMutations } from './voicemails.ts';
import { webhookMutations } from './webhooks.ts';

/** All that the kit can break, each found by a check. */
export const mutations: readonly Mutation[] = [
  ...auditMutations,
  ...authenticationMutations,
  ...businessHoursMutations,
  ...businessNumberMutations,
  ...callFlowMutations,
  ...callMutations,
  ...callerContextMutations,
  ...companyMutations,
  ...contactMutations,
  ...deliveryMutations,
  ...discoveryMutations,
  ...doNotDisturbMutations,
  ...employeeMutations,
  ...errorMutations,
  ...eventMutations,
  ...inboxMutations,
  ...isolationMutations,
  ...limitMutations,
  ...mcpMutations,
  ...messageMutations,
  ...oauthMutations,
  ...officeMutations,
  ...operatorMutations,
  ...privacyMutations,
  ...reportMutations,
  ...roleMutations,
  ...routingMutations,
  ...snippetMutations,
  ...textingMutations,
  ...transferMutations,
  ...versioningMutations,
  ...voicePreviewMutations,
  ...voicemailMutations,
  ...webhookMutations,
];
