import type { Check } from '../check.ts';
import { callChecks } from './calls.ts';
import { settingChecks } from './settings.ts';

export const doNotDisturbChecks: readonly Check[] = [...settingChecks, ...callChecks];
