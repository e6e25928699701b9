import type { Check } from '../check.ts';
import { callChecks } from './calls.ts';
import { listChecks } from './lists.ts';
import { numberChecks } from './numbers.ts';
import { resourceChecks } from './resources.ts';

export const isolationChecks: readonly Check[] = [...numberChecks, ...resourceChecks, ...callChecks, ...listChecks];
