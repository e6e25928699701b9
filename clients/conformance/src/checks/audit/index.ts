import type { Check } from '../check.ts';
import { entryChecks } from './entries.ts';
import { listChecks } from './lists.ts';

export const auditChecks: readonly Check[] = [...entryChecks, ...listChecks];
