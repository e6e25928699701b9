import { notFound, Refused } from '@parley/errors';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { CallDeps } from './call-deps.ts';

export const getCallRpc =
  ({ calls, views }: CallDeps): Handler<typeof CallService.method.getCall, EmployeePrincipal> =>
  async ({ id }, { principal }) => {
    const call = await calls.of(principal.companyId).get(id);
    if (!call) throw new Refused(notFound);
    const [shown] = await views.show(principal, [call]);
    return { call: shown };
  };
