import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { changeChecks } from './changes.ts';
import { readingChecks } from './reading.ts';

export const businessNumberChecks: readonly Check[] = [...readingChecks, ...changeChecks, ...accessChecks];
