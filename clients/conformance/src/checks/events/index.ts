import type { Check } from '../check.ts';
import { logChecks } from './log.ts';

export const eventChecks: readonly Check[] = [...logChecks];
