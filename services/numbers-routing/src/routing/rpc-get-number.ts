import { notFound, Refused } from '@parley/errors';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import type { BusinessNumber } from '../numbers/business-number.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const getNumberRpc =
  ({ numbers }: RoutingDeps): Handler<typeof RoutingService.method.getNumber, ServicePrincipal> =>
  async ({ id }) => ({ number: snapshotOf(await numbers.acrossCompanies.get(id)) });

export const getNumberByE164Rpc =
  ({ numbers }: RoutingDeps): Handler<typeof RoutingService.method.getNumberByE164, ServicePrincipal> =>
  async ({ number }) => ({ number: snapshotOf(await numbers.byE164(number)) });

function snapshotOf(number: BusinessNumber | undefined) {
  if (!number) throw new Refused(notFound);
  return snapshotToProto(number);
}
