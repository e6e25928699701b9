import type { Check } from '../check.ts';
import { outcomeChecks } from './outcomes.ts';
import { startChecks } from './start.ts';

export const transferChecks: readonly Check[] = [...startChecks, ...outcomeChecks];
