import type { Scenario } from '../scenario.ts';
import { assistantScenarios } from './assistants.ts';
import { callScenarios } from './calls.ts';
import { companyScenarios } from './company.ts';
import { contactScenarios } from './contacts.ts';
import { messageScenarios } from './messages.ts';

/** By the type of the event that they lead to. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  ...callScenarios,
  ...contactScenarios,
  ...companyScenarios,
  ...messageScenarios,
  ...assistantScenarios,
};

/** Names that older webhooks use. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'call.outside_opening_hours': 'call.outside_business_hours',
};

export function currentName(event: string): string {
  return Object.hasOwn(FORMER_NAMES, event) ? FORMER_NAMES[event]! : event;
}
