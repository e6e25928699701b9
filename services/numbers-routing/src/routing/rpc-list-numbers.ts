import { invalid, Refused } from '@parley/errors';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import { OLDEST_FIRST } from '../numbers/business-number-store.ts';
import type { RoutingDeps } from './routing-deps.ts';

const IDS_MAX = 1000;

export const listNumbersRpc = ({
  numbers,
}: RoutingDeps): Handler<typeof RoutingService.method.listNumbers, ServicePrincipal> =>
  async function* ({ companyId, ids }) {
    if (ids.length > IDS_MAX) throw new Refused(invalid({ ids: [`must have at most ${IDS_MAX} items`] }));
    const filter = ids.length > 0 ? { id: { $in: ids } } : {};
    for await (const chunk of numbers.of(companyId).findInChunks(filter, OLDEST_FIRST))
      yield { numbers: chunk.map(snapshotToProto) };
  };
