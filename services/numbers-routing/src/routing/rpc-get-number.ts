import { notFound, Refused } from '@parley/errors';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { numberToProto } from '../numbers/business-number-proto.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';
import { soundsOf } from '../numbers/number-view.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const getNumberRpc =
  (deps: RoutingDeps): Handler<typeof RoutingService.method.getNumber, ServicePrincipal> =>
  async ({ id }) => ({ number: await shown(deps, await deps.numbers.acrossCompanies.get(id)) });

export const getNumberByE164Rpc =
  (deps: RoutingDeps): Handler<typeof RoutingService.method.getNumberByE164, ServicePrincipal> =>
  async ({ number }) => ({ number: await shown(deps, await deps.numbers.byE164(number)) });

async function shown(deps: RoutingDeps, number: BusinessNumber | undefined) {
  if (!number) throw new Refused(notFound);
  return numberToProto(number, await soundsOf(deps, number));
}
