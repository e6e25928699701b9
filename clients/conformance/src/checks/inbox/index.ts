import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { activityChecks } from './activity.ts';
import { callChecks } from './calls.ts';
import { filterChecks } from './filters.ts';
import { pageChecks } from './pages.ts';
import { seenChecks } from './seen.ts';
import { threadChecks } from './threads.ts';

export const inboxChecks: readonly Check[] = [
  ...threadChecks,
  ...filterChecks,
  ...pageChecks,
  ...activityChecks,
  ...seenChecks,
  ...callChecks,
  ...accessChecks,
];
