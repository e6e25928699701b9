import type { Check } from '../check.ts';
import { versionChecks } from './versions.ts';

export const versioningChecks: readonly Check[] = versionChecks;
