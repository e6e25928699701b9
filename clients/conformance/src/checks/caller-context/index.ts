import type { Check } from '../check.ts';
import { lookupChecks } from './lookups.ts';
import { providerChecks } from './providers.ts';

export const callerContextChecks: readonly Check[] = [...lookupChecks, ...providerChecks];
