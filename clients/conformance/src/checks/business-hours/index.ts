import type { Check } from '../check.ts';
import { breakChecks } from './breaks.ts';
import { changeChecks } from './changes.ts';
import { runningChecks } from './running.ts';
import { validationChecks } from './validation.ts';

export const businessHoursChecks: readonly Check[] = [
  ...changeChecks,
  ...validationChecks,
  ...breakChecks,
  ...runningChecks,
];
