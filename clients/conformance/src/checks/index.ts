import { auditChecks } from './audit/index.ts';
import { authenticationChecks } from './authentication/index.ts';
import { businessHoursChecks } from './business-hours/index.ts';
import { businessNumberChecks } from './business-numbers/index.ts';
import { callFlowChecks } from './call-flows/index.ts';
import { callerContextChecks } from './caller-context/index.ts';
import { callChecks } from './calls/index.ts';
import type { Check } from './check.ts';
import { companyChecks } from './company/index.ts';
import { contactChecks } from './contacts/index.ts';
import { deliveryChecks } from './deliveries/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { doNotDisturbChecks } from './do-not-disturb/index.ts';
import { employeeChecks } from './employees/index.ts';
import { errorChecks } from './errors/index.ts';
import { eventChecks } from './events/index.ts';
import { inboxChecks } from './inbox/index.ts';
import { isolationChecks } from './isolation/index.ts';
import { limitChecks } from './limits/index.ts';
import { liveChannelChecks } from './live-channel/index.ts';
import { mcpChecks } from './mcp/index.ts';
import { messageChecks } from './messages/index.ts';
import { oauthChecks } from './oauth/index.ts';
import { officeChecks } from './office/index.ts';
import { operatorChecks } from './operator/index.ts';
import { privacyChecks } from './privacy/index.ts';
import { reportChecks } from './reports/index.ts';
import { roleChecks } from './roles/index.ts';
import { routingChecks } from './routing/index.ts';
import { snippetChecks } from './snippets/index.ts';
import { textingChecks } from './texting/index.ts';
import { transferChecks } from './transfers/index.ts';
import { versioningChecks } from './versioning/index.ts';
import { voicePreviewChecks } from './voice-previews/index.ts';
import { voicemailChecks } from './voicemails/index.ts';
import { webhookChecks } from './webhooks/index.ts';

/** All checks of the kit. */
export const checks: readonly Check[] = [
  ...auditChecks,
  ...authenticationChecks,
  ...businessHoursChecks,
  ...businessNumberChecks,
  ...callChecks,
  ...callFlowChecks,
  ...callerContextChecks,
  ...companyChecks,
  ...contactChecks,
  ...deliveryChecks,
  ...discoveryChecks,
  ...doNotDisturbChecks,
  ...employeeChecks,
  ...errorChecks,
  ...eventChecks,
  ...inboxChecks,
  ...isolationChecks,
  ...limitChecks,
  ...liveChannelChecks,
  ...mcpChecks,
  ...messageChecks,
  ...oauthChecks,
  ...officeChecks,
  ...operatorChecks,
  ...privacyChecks,
  ...reportChecks,
  ...roleChecks,
  ...routingChecks,
  ...snippetChecks,
  ...textingChecks,
  ...transferChecks,
  ...versioningChecks,
  ...voicePreviewChecks,
  ...voicemailChecks,
  ...webhookChecks,
];
