import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { callFlowToProto, slotToProto } from '../call-flows/call-flow-proto.ts';
import { numberToProto } from '../numbers/business-number-proto.ts';
import { soundsOf } from '../numbers/number-view.ts';
import { resolveRoute } from './route.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const resolveRouteRpc =
  (deps: RoutingDeps): Handler<typeof RoutingService.method.resolveRoute, ServicePrincipal> =>
  async (request) => {
    const number = await deps.numbers.byE164(request.number);
    if (!number) throw new Refused(notFound);
    const { opening, slot, flow, noAnswer } = resolveRoute(
      number,
      request.at ? timestampDate(request.at) : deps.clock.now(),
    );
    const soundOf = await soundsOf(deps, number);
    return {
      number: numberToProto(number, soundOf),
      withinBusinessHours: opening.open,
      slot: slotToProto(slot),
      ...(flow && { flow: callFlowToProto(flow, soundOf) }),
      ...(noAnswer && {
        noAnswer: { timeoutSecs: noAnswer.timeoutSecs, flow: callFlowToProto(noAnswer.flow, soundOf) },
      }),
    };
  };
