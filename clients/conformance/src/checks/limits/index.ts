import type { Check } from '../check.ts';
import { countChecks } from './counts.ts';
import { valueChecks } from './values.ts';

export const limitChecks: readonly Check[] = [...valueChecks, ...countChecks];
