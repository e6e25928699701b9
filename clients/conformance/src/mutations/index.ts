import { callMutations } from './calls.ts';
import { contactMutations } from './contacts.ts';
import { deliveryMutations } from './deliveries.ts';
import { eventMutations } from './events.ts';
import { mcpMutations } from './mcp.ts';
import type { Mutation } from './mutation.ts';
import { officeMutations } from './office.ts';
import { routingMutations } from './routing.ts';
import { snippetMutations } from './snippets.ts';
import { transferMutations } from './transfers.ts';
import { voicemailMutations } from './voicemails.ts';
import { webhookMutations } from './webhooks.ts';

/** All that the kit can break, each found by a check. */
export const mutations: readonly Mutation[] = [
  ...callMutations,
  ...contactMutations,
  ...deliveryMutations,
  ...eventMutations,
  ...mcpMutations,
  ...officeMutations,
  ...routingMutations,
  ...snippetMutations,
  ...transferMutations,
  ...voicemailMutations,
  ...webhookMutations,
];
