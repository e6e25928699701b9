import type { Check } from '../check.ts';
import { bodyChecks } from './bodies.ts';
import { requestChecks } from './requests.ts';

export const errorChecks: readonly Check[] = [...requestChecks, ...bodyChecks];
