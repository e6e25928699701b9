import { danishAccount } from './danish-account.ts';
import { danishActivity } from './danish-activity.ts';
import { danishAssistant } from './danish-assistant.ts';
import { danishAssistantCalls } from './danish-assistant-calls.ts';
import { danishCompany } from './danish-company.ts';
import { danishReports } from './danish-reports.ts';
import { danishWork } from './danish-work.ts';
import type { Catalogue } from './translate.ts';

export const danish: Catalogue = {
  ...danishWork,
  ...danishCompany,
  ...danishAssistant,
  ...danishReports,
  ...danishActivity,
  ...danishAccount,
  ...danishAssistantCalls,
};
