import type { Check } from '../check.ts';
import { accessChecks } from './access.ts';
import { audioChecks } from './audio.ts';
import { flowChecks } from './flows.ts';
import { menuChecks } from './menus.ts';
import { noAnswerChecks } from './no-answer.ts';
import { runningChecks } from './running.ts';

export const callFlowChecks: readonly Check[] = [
  ...flowChecks,
  ...menuChecks,
  ...noAnswerChecks,
  ...audioChecks,
  ...accessChecks,
  ...runningChecks,
];
