import type { Check } from '../check.ts';
import { documentChecks } from './documents.ts';
import { metadataChecks } from './metadata.ts';

export const discoveryChecks: readonly Check[] = [...metadataChecks, ...documentChecks];
