import { germanAccount } from './german-account.ts';
import { germanActivity } from './german-activity.ts';
import { germanAssistant } from './german-assistant.ts';
import { germanAssistantCalls } from './german-assistant-calls.ts';
import { germanCompany } from './german-company.ts';
import { germanReports } from './german-reports.ts';
import { germanWork } from './german-work.ts';
import type { Catalogue } from './translate.ts';

export const german: Catalogue = {
  ...germanWork,
  ...germanCompany,
  ...germanAssistant,
  ...germanReports,
  ...germanActivity,
  ...germanAccount,
  ...germanAssistantCalls,
};
