import type { BusinessNumber, paths } from '../api/schema.d.ts';
import { type CallFlowForm, callFlowForm, clearableCallFlowBody } from './call-flow-form.ts';

type TimeoutSecs =
  paths['/api/v1/business_numbers/{id}/no_answer_config']['put']['requestBody']['content']['application/json']['timeout_secs'];

export interface NoAnswerForm {
  readonly flow: CallFlowForm;
  /** Null: the timer is off. */
  readonly timeoutSecs: number | null;
}

/** What the API allows. */
export const NO_ANSWER_TIMEOUTS: readonly (readonly [number, string])[] = [
  [15, '15 seconds'],
  [30, '30 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
  [600, '10 minutes'],
  [1200, '20 minutes'],
  [1800, '30 minutes'],
  [2700, '45 minutes'],
  [3600, '1 hour'],
];

export function noAnswerForm(number: BusinessNumber): NoAnswerForm {
  return { flow: callFlowForm(number.no_answer_config), timeoutSecs: number.no_answer_timeout_secs };
}

export function noAnswerBody({ flow, timeoutSecs }: NoAnswerForm) {
  return { ...clearableCallFlowBody(flow), timeout_secs: timeoutSecs as TimeoutSecs };
}
