import type { Check } from '../check.ts';
import { changeChecks } from './changes.ts';
import { creationChecks } from './creation.ts';
import { presenceChecks } from './presence.ts';
import { removalChecks } from './removal.ts';

export const employeeChecks: readonly Check[] = [
  ...creationChecks,
  ...changeChecks,
  ...removalChecks,
  ...presenceChecks,
];
