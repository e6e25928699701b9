import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { LiveReportService } from '@parley/proto/call_control/v1/live_report_pb';
import { hasRole } from '@parley/actor';
import { employees, type RpcServer } from '@parley/rpc';
import { callbackToProto } from '../calls/store/call-proto.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { presenceToProto } from '../presence/presence-proto.ts';
import type { Presences } from '../presence/presence-store.ts';
import { liveEmployees, liveNumbers, type WaitingCaller } from './live-report.ts';

interface LiveReportDeps {
  readonly calls: Pick<Calls, 'openOf'>;
  readonly presences: Presences;
  readonly clock: Clock;
}

export function addLiveReportService(server: RpcServer, { calls, presences, clock }: LiveReportDeps): void {
  server.add(LiveReportService, employees.withRole('member'), {
    async getLiveReport(_request, { principal: { companyId, employeeId, role } }) {
      const shown = hasRole(role, 'admin') ? undefined : [employeeId];
      const [open, known] = await Promise.all([calls.openOf(companyId), presences.of(companyId).list(shown)]);
      const now = clock.now();
      return {
        at: timestampFromDate(now),
        numbers: liveNumbers(open, now).map(({ waiting, assisted, ...number }) => ({
          ...number,
          waiting: waiting.map(callerToProto),
          assisted: assisted.map(({ since, ...caller }) => ({ ...caller, since: timestampFromDate(since) })),
        })),
        employees: liveEmployees(known, open).map(({ presence, call }) => {
          const { status } = presenceToProto(presence);
          return {
            employeeId: presence.id,
            ...(status !== undefined && { status }),
            ...(presence.statusSince && { statusSince: timestampFromDate(presence.statusSince) }),
            ...(call && {
              call: { id: call.id, remoteNumber: call.remoteNumber, since: timestampFromDate(call.since) },
            }),
          };
        }),
      };
    },
  });
}

function callerToProto({ callback, ...caller }: WaitingCaller) {
  return { ...caller, ...(callback && { callback: callbackToProto(callback) }) };
}
