import type { Check } from '../check.ts';
import { callEventChecks } from './calls.ts';
import { contentChecks } from './contents.ts';
import { logChecks } from './log.ts';
import { pageChecks } from './pages.ts';

export const eventChecks: readonly Check[] = [...logChecks, ...pageChecks, ...contentChecks, ...callEventChecks];
