import type { Check } from '../check.ts';
import { countChecks } from './counts.ts';
import { groupChecks } from './groups.ts';
import { liveChecks } from './live.ts';

export const reportChecks: readonly Check[] = [...groupChecks, ...countChecks, ...liveChecks];
