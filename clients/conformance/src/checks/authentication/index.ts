import type { Check } from '../check.ts';
import { keyChecks } from './keys.ts';
import { refusalChecks } from './refusals.ts';

export const authenticationChecks: readonly Check[] = [...refusalChecks, ...keyChecks];
