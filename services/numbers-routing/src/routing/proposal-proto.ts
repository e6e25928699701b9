import type { RouteProposal } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { CallFlow, RoutingSlot } from '../call-flows/call-flow.ts';
import { callFlowFromProto } from '../call-flows/call-flow-proto.ts';
import { flowOrNull, hoursChangeFromProto, timeoutFromProto } from '../numbers/routing-change-proto.ts';
import type { Proposal } from './proposal.ts';

export function proposalFromProto(proposal: RouteProposal): Proposal {
  const { incomingCallConfig: incoming, outsideBusinessHoursConfig: outside, noAnswerConfig: noAnswer } = proposal;
  const flows = new Map<RoutingSlot, CallFlow | null>();
  if (incoming) flows.set('incoming_call_config', callFlowFromProto(incoming));
  if (outside) flows.set('outside_business_hours_config', flowOrNull(outside.config));
  if (noAnswer) flows.set('no_answer_config', flowOrNull(noAnswer.config));
  return {
    flows,
    businessHours: proposal.businessHours.map(hoursChangeFromProto),
    timezone: proposal.timezone,
    noAnswerTimeoutSecs: timeoutFromProto(proposal.noAnswerTimer),
  };
}
