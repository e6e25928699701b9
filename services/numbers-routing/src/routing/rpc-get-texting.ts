import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { GetTextingRequest, RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { openingAt } from '../business-hours/opening.ts';
import { snapshotToProto } from '../numbers/business-number-proto.ts';
import { textingSettingsToProto } from '../texting-settings/texting-settings-proto.ts';
import type { RoutingDeps } from './routing-deps.ts';

export const getTextingRpc =
  (deps: RoutingDeps): Handler<typeof RoutingService.method.getTexting, ServicePrincipal> =>
  async ({ key, at }) => {
    const number = await find(deps, key);
    if (!number) throw new Refused(notFound);
    const instant = at ? timestampDate(at) : deps.clock.now();
    return {
      number: snapshotToProto(number),
      settings: textingSettingsToProto(number),
      withinBusinessHours: openingAt(number.businessHours, number.timezone, instant).open,
    };
  };

async function find({ numbers }: RoutingDeps, key: GetTextingRequest['key']) {
  switch (key.case) {
    case 'id':
      return numbers.acrossCompanies.get(key.value);
    case 'number':
      return numbers.byE164(key.value);
    case undefined:
      return undefined;
  }
}
