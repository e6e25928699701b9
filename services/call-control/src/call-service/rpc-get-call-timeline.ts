import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { CallDeps } from './call-deps.ts';

export const getCallTimelineRpc =
  ({ calls }: CallDeps): Handler<typeof CallService.method.getCallTimeline, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId } }) => {
    const call = await calls.of(companyId).get(id);
    if (!call) throw new Refused(notFound);
    return { entries: call.timeline.map(({ at, ...entry }) => ({ at: timestampFromDate(at), ...entry })) };
  };
