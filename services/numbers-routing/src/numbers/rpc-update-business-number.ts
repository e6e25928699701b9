import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { updateBusinessNumber } from './business-number.ts';
import { changeFromProto } from './business-number-proto.ts';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';

export const updateBusinessNumberRpc =
  (deps: NumberDeps): Handler<typeof BusinessNumberService.method.updateBusinessNumber, EmployeePrincipal> =>
  async (request, { principal: caller }) => {
    const change = changeFromProto(request);
    const number = await deps.numbers
      .of(caller.companyId)
      .change(request.id, (current) => updateBusinessNumber(current, change, deps.clock.now()));
    return { view: await viewOf(deps, number) };
  };
