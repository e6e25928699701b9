import { invalid, Refused } from '@parley/errors';
import type { CallFlowConfig } from '@parley/proto/numbers_routing/v1/call_flows_pb';
import type {
  BusinessHoursChange as HoursChangeProto,
  NoAnswerTimer,
  SetIncomingCallConfigRequest,
  SetNoAnswerConfigRequest,
  SetOutsideBusinessHoursConfigRequest,
} from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { BusinessHoursChange } from '../business-hours/business-hours-change.ts';
import { callFlowFromProto } from '../call-flows/call-flow-proto.ts';
import type { RoutingChange } from './routing-change.ts';

export function incomingCallChange({ config }: SetIncomingCallConfigRequest): RoutingChange {
  if (!config) throw new Refused(invalid({ type: ['cannot be cleared'] }));
  return { slot: 'incoming_call_config', flow: callFlowFromProto(config) };
}

export function outsideBusinessHoursChange(request: SetOutsideBusinessHoursConfigRequest): RoutingChange {
  return {
    slot: 'outside_business_hours_config',
    flow: flowOrNull(request.config),
    businessHours: request.businessHours.map(hoursChangeFromProto),
  };
}

export function noAnswerChange({ config, timer }: SetNoAnswerConfigRequest): RoutingChange {
  return { slot: 'no_answer_config', flow: flowOrNull(config), timeoutSecs: timeoutFromProto(timer) };
}

export function hoursChangeFromProto(change: HoursChangeProto): BusinessHoursChange {
  const { dayOfWeek, open, openingAt, closingAt, breaks } = change;
  return { dayOfWeek, open, openingAt, closingAt, breaks: breaks?.breaks };
}

/** Absent clears. */
export function flowOrNull(config: CallFlowConfig | undefined) {
  return config ? callFlowFromProto(config) : null;
}

/** Null is off, undefined is "as it is". */
export function timeoutFromProto(timer: NoAnswerTimer | undefined): number | null | undefined {
  return timer && (timer.timeoutSecs ?? null);
}
