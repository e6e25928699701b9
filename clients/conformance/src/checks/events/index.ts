import type { Check } from '../check.ts';
import { contentChecks } from './contents.ts';
import { logChecks } from './log.ts';

export const eventChecks: readonly Check[] = [...logChecks, ...contentChecks];
