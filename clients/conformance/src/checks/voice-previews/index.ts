import type { Check } from '../check.ts';
import { voicePreviewChecks as previewChecks } from './previews.ts';
import { limitChecks } from './limits.ts';

export const voicePreviewChecks: readonly Check[] = [...previewChecks, ...limitChecks];
