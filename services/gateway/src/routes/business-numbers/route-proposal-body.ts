import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RouteProposalSchema } from '@parley/proto/numbers_routing/v1/routing_pb';
import { z } from 'zod';
import { businessHoursBody, businessHoursMessage } from './business-hours-body.ts';
import { type CallFlowBody, callFlowBody, callFlowMessage } from './call-flow-body.ts';
import { noAnswerTimeoutBody, noAnswerTimerMessage } from './no-answer-timeout-body.ts';
import { isoTimeSchema } from '../shared/iso-time.ts';

export const PROPOSED_SLOTS = ['incoming_call_config', 'outside_business_hours_config', 'no_answer_config'] as const;

/** A change of routing that is only explained. */
export const routeProposalBody = z.object({
  at: isoTimeSchema.optional(),
  incoming_call_config: callFlowBody.optional(),
  outside_business_hours_config: callFlowBody.nullable().optional(),
  no_answer_config: callFlowBody.nullable().optional(),
  no_answer_timeout_secs: noAnswerTimeoutBody.optional(),
  business_hours: businessHoursBody.optional(),
  timezone: z.string().max(64).optional(),
});

export function routeProposalMessage(
  body: z.output<typeof routeProposalBody>,
): MessageInitShape<typeof RouteProposalSchema> {
  const { incoming_call_config: incoming } = body;
  return {
    ...(incoming && { incomingCallConfig: callFlowMessage(incoming) }),
    outsideBusinessHoursConfig: slotMessage(body.outside_business_hours_config),
    noAnswerConfig: slotMessage(body.no_answer_config),
    noAnswerTimer: noAnswerTimerMessage(body.no_answer_timeout_secs),
    businessHours: businessHoursMessage(body.business_hours),
    timezone: body.timezone,
  };
}

/** Undefined is "as saved", a message without a flow clears the slot. */
function slotMessage(flow: CallFlowBody | null | undefined) {
  if (flow === undefined) return undefined;
  return flow === null ? {} : { config: callFlowMessage(flow) };
}
