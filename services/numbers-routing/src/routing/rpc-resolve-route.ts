import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { textsOf } from '../call-flows/call-flow.ts';
import { callFlowToProto, slotToProto } from '../call-flows/call-flow-proto.ts';
import { promptOf } from '../numbers/business-number.ts';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import { promptAudioViews } from '../numbers/number-view.ts';
import { resolveRoute } from './route.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const resolveRouteRpc =
  (deps: RoutingDeps): Handler<typeof RoutingService.method.resolveRoute, ServicePrincipal> =>
  async (request) => {
    const number = await deps.numbers.byE164(request.number);
    if (!number) throw new Refused(notFound);
    const at = request.at ? timestampDate(request.at) : deps.clock.now();
    const { opening, slot, flow, noAnswer } = resolveRoute(number, at);
    const texts = new Set([...textsOf(flow), ...textsOf(noAnswer?.flow ?? null)]);
    const audioOf = await promptAudioViews(
      deps,
      number,
      [...texts].map((text) => promptOf(number, text)),
    );
    return {
      number: snapshotToProto(number),
      withinBusinessHours: opening.open,
      slot: slotToProto(slot),
      ...(flow && { flow: callFlowToProto(flow, audioOf) }),
      ...(noAnswer && {
        noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, audioOf) },
      }),
    };
  };
