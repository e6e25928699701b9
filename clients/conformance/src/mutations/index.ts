import { businessHoursMutations } from './business-hours.ts';
import { businessNumberMutations } from './business-numbers.ts';
import { callFlowMutations } from './call-flows.ts';
import { callerContextMutations } from './caller-context.ts';
import { contactMutations } from './contacts.ts';
import { inboxMutations } from './inbox.ts';
import { messageMutations } from './messages.ts';
import type { Mutation } from './mutation.ts';
import { reportMutations } from './reports.ts';
import { snippetMutations } from './snippets.ts';
import { textingMutations } from './texting.ts';
import { voicePreviewMutations } from './voice-previews.ts';

/** All that the kit can break, each found by a check. */
export const mutations: readonly Mutation[] = [
  ...businessHoursMutations,
  ...businessNumberMutations,
  ...callFlowMutations,
  ...callerContextMutations,
  ...contactMutations,
  ...inboxMutations,
  ...messageMutations,
  ...reportMutations,
  ...snippetMutations,
  ...textingMutations,
  ...voicePreviewMutations,
];
