import type { Check } from '../check.ts';
import { activeChecks } from './active.ts';
import { listChecks } from './lists.ts';
import { oneCallChecks } from './one-call.ts';

export const callChecks: readonly Check[] = [...oneCallChecks, ...activeChecks, ...listChecks];
