import type { Check } from '../check.ts';
import { companyChecks as basicChecks } from './company.ts';

export const companyChecks: readonly Check[] = basicChecks;
