import type { Check } from '../check.ts';
import { autoReplyChecks } from './auto-replies.ts';
import { optOutChecks } from './opt-outs.ts';
import { settingsChecks } from './settings.ts';

export const textingChecks: readonly Check[] = [...settingsChecks, ...autoReplyChecks, ...optOutChecks];
