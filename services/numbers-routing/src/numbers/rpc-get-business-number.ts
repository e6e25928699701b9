import { notFound, Refused } from '@parley/errors';
import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { viewOf } from './number-view.ts';
import type { NumberDeps } from './number-deps.ts';

export const getBusinessNumberRpc =
  (deps: NumberDeps): Handler<typeof BusinessNumberService.method.getBusinessNumber, EmployeePrincipal> =>
  async (request, { principal: caller }) => {
    const number = await deps.numbers.of(caller.companyId).get(request.id);
    if (!number) throw new Refused(notFound);
    return { view: await viewOf(deps, number) };
  };
