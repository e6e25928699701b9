import type { Check } from '../check.ts';
import { callOutChecks } from './calls-out.ts';
import { hourChecks } from './hours.ts';
import { inCallChecks } from './in-call.ts';

export const officeChecks: readonly Check[] = [...hourChecks, ...callOutChecks, ...inCallChecks];
