import type { Check } from '../check.ts';
import { deletionChecks } from './deletion.ts';
import { erasureChecks } from './erasures.ts';
import { exportChecks } from './exports.ts';
import { retentionChecks } from './retention.ts';

export const privacyChecks: readonly Check[] = [
  ...retentionChecks,
  ...erasureChecks,
  ...exportChecks,
  ...deletionChecks,
];
