import { invalid, notFound, Refused } from '@parley/errors';
import type { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { NumberDeps } from './number-deps.ts';

const EMPLOYEES_MAX = 10_000;

export const checkCallTargetsRpc =
  ({
    numbers,
    directory,
  }: NumberDeps): Handler<typeof BusinessNumberService.method.checkCallTargets, EmployeePrincipal> =>
  async ({ id, employeeIds }, { principal }) => {
    if (employeeIds.length > EMPLOYEES_MAX)
      throw new Refused(invalid({ employee_ids: [`must have at most ${EMPLOYEES_MAX} items`] }));
    if (!(await numbers.of(principal.companyId).get(id))) throw new Refused(notFound);
    const unknown = await directory.unknownEmployees(principal.companyId, [...new Set(employeeIds)]);
    return { unknownEmployeeIds: [...unknown] };
  };
