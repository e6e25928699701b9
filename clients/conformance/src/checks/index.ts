import { businessHoursChecks } from './business-hours/index.ts';
import { businessNumberChecks } from './business-numbers/index.ts';
import { callFlowChecks } from './call-flows/index.ts';
import { callerContextChecks } from './caller-context/index.ts';
import type { Check } from './check.ts';
import { contactChecks } from './contacts/index.ts';
import { inboxChecks } from './inbox/index.ts';
import { messageChecks } from './messages/index.ts';
import { reportChecks } from './reports/index.ts';
import { snippetChecks } from './snippets/index.ts';
import { textingChecks } from './texting/index.ts';
import { voicePreviewChecks } from './voice-previews/index.ts';

/** All checks of the kit. */
export const checks: readonly Check[] = [
  ...businessHoursChecks,
  ...businessNumberChecks,
  ...callFlowChecks,
  ...callerContextChecks,
  ...contactChecks,
  ...inboxChecks,
  ...messageChecks,
  ...reportChecks,
  ...snippetChecks,
  ...textingChecks,
  ...voicePreviewChecks,
];
