import { type Opening, openingAt } from '@parley/opening-hours';
import type { CallFlow, RoutingSlot } from '../call-flows/call-flow.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';

/** The fields of a number that decide its route. */
export type Routable = Pick<
  BusinessNumber,
  | 'active'
  | 'timezone'
  | 'businessHours'
  | 'closures'
  | 'incomingCallConfig'
  | 'outsideBusinessHoursConfig'
  | 'noAnswerConfig'
  | 'noAnswerTimeoutSecs'
>;

/** The decision how a call is routed at an instant. */
export interface Route {
  readonly opening: Opening;
  readonly slot: RoutingSlot;
  /** Null when the number takes no calls. */
  readonly flow: CallFlow | null;
  /** The no-answer flow; null when the timer is off or there is no such flow. */
  readonly noAnswer: { readonly timeoutSecs: number; readonly flow: CallFlow } | null;
}

export function resolveRoute(number: Routable, at: Date): Route {
  const opening = openingAt(number, at);
  const outside = opening.open ? null : number.outsideBusinessHoursConfig;
  const { noAnswerConfig: fallback, noAnswerTimeoutSecs: timeoutSecs } = number;
  return {
    opening,
    slot: outside ? 'outside_business_hours_config' : 'incoming_call_config',
    flow: number.active ? (outside ?? number.incomingCallConfig) : null,
    noAnswer: number.active && fallback && timeoutSecs ? { timeoutSecs, flow: fallback } : null,
  };
}
