import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import type { Presences } from './presence-store.ts';

/** What the RPCs of presence work with. */
export interface PresenceDeps {
  readonly presences: Presences;
  readonly routing: Pick<RpcClient<typeof RoutingService>, 'listNumbersTargeting'>;
}
