import { callChecks } from './calls/index.ts';
import type { Check } from './check.ts';
import { contactChecks } from './contacts/index.ts';
import { deliveryChecks } from './deliveries/index.ts';
import { eventChecks } from './events/index.ts';
import { liveChannelChecks } from './live-channel/index.ts';
import { mcpChecks } from './mcp/index.ts';
import { officeChecks } from './office/index.ts';
import { routingChecks } from './routing/index.ts';
import { snippetChecks } from './snippets/index.ts';
import { transferChecks } from './transfers/index.ts';
import { voicemailChecks } from './voicemails/index.ts';
import { webhookChecks } from './webhooks/index.ts';

/** All checks of the kit. */
export const checks: readonly Check[] = [
  ...callChecks,
  ...contactChecks,
  ...deliveryChecks,
  ...eventChecks,
  ...liveChannelChecks,
  ...mcpChecks,
  ...officeChecks,
  ...routingChecks,
  ...snippetChecks,
  ...transferChecks,
  ...voicemailChecks,
  ...webhookChecks,
];
