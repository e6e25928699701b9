import type { Check } from '../check.ts';
import { changeChecks } from './changes.ts';
import { creationChecks } from './creation.ts';
import { csvChecks } from './csv.ts';
import { isolationChecks } from './isolation.ts';
import { listChecks } from './lists.ts';
import { validationChecks } from './validation.ts';

export const contactChecks: readonly Check[] = [
  ...creationChecks,
  ...listChecks,
  ...changeChecks,
  ...validationChecks,
  ...isolationChecks,
  ...csvChecks,
];
