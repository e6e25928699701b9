import type { Check } from '../check.ts';
import { listChecks } from './lists.ts';
import { activeChecks, oneCallChecks } from './one-call.ts';

export const callChecks: readonly Check[] = [...oneCallChecks, ...activeChecks, ...listChecks];
