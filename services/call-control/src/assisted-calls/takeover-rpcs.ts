import { notFound, refusal, Refused } from '@parley/errors';
import { TakeoverService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { refuseTakeover } from '../calls/decide/takeover.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { forwardOf } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import { isReachable, unreachable } from '../switch/commands/await-switch.ts';
import type { Switches } from '../switch/connection/switch-client.ts';

interface TakeoverDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly switches: Switches;
}

/** Employees take calls over from an assistant, each for oneself. */
export function addTakeoverService(server: RpcServer, { calls, runner, presences, switches }: TakeoverDeps): void {
  server.add(TakeoverService, employees.withRole('member'), {
    /** The employee is claimed before the phones ring; a claim without a takeover expires after a crash. */
    async startTakeover({ callId }, { principal: { companyId, employeeId } }) {
      const own = presences.of(companyId);
      const [call, presence] = await Promise.all([calls.of(companyId).get(callId), own.get(employeeId)]);
      if (!call) throw new Refused(notFound);
      const why = refuseTakeover(call);
      if (why) throw new Refused(why);
      if (!isReachable(switches, call.switch.name)) throw new Refused(unreachable);
      if (!presence || !(await own.offerRing(employeeId, callId)))
        throw new Refused(refusal('employee_unavailable', 'your phones cannot be rung now'));
      const employee = { id: employeeId, name: presence.employee.name };
      const forwardTo = forwardOf(presence);
      const input = { type: 'start_takeover', employee, ...(forwardTo !== undefined && { forwardTo }) } as const;
      const changed = await runner.apply(call, input).catch(async (error: unknown) => {
        await own.endLease(employeeId, { kind: 'ring_offer', id: callId });
        throw error;
      });
      if (!changed) throw new Refused(notFound);
      return { employee };
    },
    async cancelTakeover({ callId: id }, { principal: { companyId, employeeId: actorId } }) {
      const call = await runner.apply({ companyId, id }, { type: 'cancel_takeover', actorId });
      if (!call) throw new Refused(notFound);
      return {};
    },
  });
}
