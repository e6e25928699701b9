import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { OLDEST_FIRST } from './business-number-store.ts';
import type { NumberDeps } from './number-deps.ts';

export const listBusinessNumbersRpc =
  ({ numbers }: NumberDeps): Handler<typeof BusinessNumberService.method.listBusinessNumbers, EmployeePrincipal> =>
  async (_request, { principal: caller }) => {
    const found = await Array.fromAsync(numbers.of(caller.companyId).find({}, OLDEST_FIRST));
    return {
      numbers: found.map(({ id, name, number, numberFormatted }) => ({ id, name, number, numberFormatted })),
    };
  };
