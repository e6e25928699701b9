import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { companyChecks } from './companies.ts';
import { credentialChecks } from './credentials.ts';
import { numberChecks } from './numbers.ts';

export const operatorChecks: readonly Check[] = [
  ...accessChecks,
  ...companyChecks,
  ...numberChecks,
  ...credentialChecks,
];
