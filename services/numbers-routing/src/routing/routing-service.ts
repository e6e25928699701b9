import type { RoutingDeps } from './routing-deps.ts';
import { RouteExplanationService, RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import { explainRouteRpc } from './rpc-explain-route.ts';
import { getNumberByE164Rpc, getNumberRpc } from './rpc-get-number.ts';
import { getTextingRpc } from './rpc-get-texting.ts';
import { listNumbersRpc } from './rpc-list-numbers.ts';
import { listNumbersTargetingRpc } from './rpc-list-numbers-targeting.ts';
import { resolveRouteRpc } from './rpc-resolve-route.ts';

/** Every RPC of the contracts and the file of its handler. */
export function addRoutingServices(server: RpcServer, deps: RoutingDeps): void {
  server.add(RoutingService, services('directory', 'call-control', 'messaging-inbox', 'webhooks'), {
    resolveRoute: resolveRouteRpc(deps),
    getNumber: getNumberRpc(deps),
    getNumberByE164: getNumberByE164Rpc(deps),
    listNumbers: listNumbersRpc(deps),
    getTexting: getTextingRpc(deps),
    listNumbersTargeting: listNumbersTargetingRpc(deps),
  });
  server.add(RouteExplanationService, employees.withRole('member'), { explainRoute: explainRouteRpc(deps) });
}
