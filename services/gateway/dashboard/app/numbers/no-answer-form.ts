import type { BusinessNumber, paths } from '../api/schema.d.ts';
import { tn } from '../i18n/translate.ts';
import { type CallFlowForm, callFlowForm, clearableCallFlowBody } from './call-flow-form.ts';

export type TimeoutSecs =
  paths['/api/v1/business_numbers/{id}/no_answer_config']['put']['requestBody']['content']['application/json']['no_answer_timeout_secs'];

export interface NoAnswerForm {
  readonly flow: CallFlowForm;
  /** Null: the timer is off. */
  readonly timeoutSecs: number | null;
}

/** The values that the API accepts. */
export const NO_ANSWER_TIMEOUTS: readonly number[] = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600];

/** A length of time in words. */
export function timeoutText(secs: number): string {
  if (secs < 60) return tn(secs, '1 second', '{count} seconds');
  if (secs < 3600) return tn(secs / 60, '1 minute', '{count} minutes');
  return tn(secs / 3600, '1 hour', '{count} hours');
}

export function noAnswerForm(number: BusinessNumber): NoAnswerForm {
  return { flow: callFlowForm(number.no_answer_config), timeoutSecs: number.no_answer_timeout_secs };
}

export function noAnswerBody({ flow, timeoutSecs }: NoAnswerForm) {
  const body = clearableCallFlowBody(flow);
  const timer = timeoutSecs as TimeoutSecs;
  // The timeout of a forward is how long the phone rings.
  if (body.type === 'ForwardConfig') return { ...body, no_answer_timeout_secs: timer };
  return { ...body, timeout_secs: timer };
}
