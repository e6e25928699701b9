import type { Check } from '../check.ts';
import { snippetChecks as basicChecks } from './snippets.ts';
import { accessChecks } from './access.ts';
import { validationChecks } from './validation.ts';

export const snippetChecks: readonly Check[] = [...basicChecks, ...validationChecks, ...accessChecks];
