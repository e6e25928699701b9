import { notFound, refusal, Refused } from '@parley/errors';
import { SupervisionMode as ProtoMode, SupervisionService } from '@parley/proto/call_control/v1/supervision_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { isReachable, unreachable } from '../switch/commands/await-switch.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Supervision, SupervisionMode } from '../calls/model/supervision.ts';
import { refuseSupervision } from '../calls/decide/supervision.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CompanyOf } from '../clients/company-client.ts';
import { forwardOf } from '../presence/presence.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Switches } from '../switch/connection/switch-client.ts';

interface SupervisionDeps {
  readonly calls: Calls;
  readonly runner: CallRunner;
  readonly presences: Pick<Presences, 'of'>;
  readonly switches: Switches;
  readonly companyOf: CompanyOf;
}

const modes: Record<SupervisionMode, ProtoMode> = {
  listen: ProtoMode.LISTEN,
  whisper: ProtoMode.WHISPER,
  barge: ProtoMode.BARGE,
};

function modeFromProto(mode: ProtoMode): SupervisionMode {
  return (Object.keys(modes) as SupervisionMode[]).find((candidate) => modes[candidate] === mode) ?? 'listen';
}

function supervisionToProto({ supervisor, mode, hasAnswered }: Supervision) {
  return { employee: { id: supervisor.id, name: supervisor.name }, mode: modes[mode], joined: hasAnswered };
}

export function addSupervisionService(server: RpcServer, deps: SupervisionDeps): void {
  const { calls, runner, presences, switches, companyOf } = deps;
  server.add(SupervisionService, employees.withRole('admin'), {
    /** The supervisor is claimed before the phones ring; a claim without a supervision expires after a crash. */
    async supervise({ callId, mode }, { principal: { companyId, employeeId } }) {
      const own = presences.of(companyId);
      const [company, call, presence] = await Promise.all([
        companyOf(companyId),
        calls.of(companyId).get(callId),
        own.get(employeeId),
      ]);
      if (!company?.supervisionEnabled)
        throw new Refused(refusal('supervision_disabled', 'the company has not enabled supervision'));
      if (!call) throw new Refused(notFound);
      const why = refuseSupervision(call, employeeId);
      if (why) throw new Refused(why);
      if (!isReachable(switches, call.switch.name)) throw new Refused(unreachable);
      const isNew = !call.supervision;
      if (presence && isNew && forwardOf(presence) !== undefined)
        throw new Refused(refusal('employee_unavailable', 'supervision needs a registered phone of your own'));
      if (!presence || (isNew && !(await own.offerRing(employeeId, callId))))
        throw new Refused(refusal('employee_unavailable', 'the supervisor cannot be rung now'));
      const supervisor = { id: employeeId, name: presence.employee.name };
      const input = { type: 'supervise', supervisor, mode: modeFromProto(mode) } as const;
      const changed = await runner.apply(call, input).catch(async (error: unknown) => {
        if (isNew) await own.endLease(employeeId, { kind: 'ring_offer', id: callId });
        throw error;
      });
      if (!changed?.supervision) throw new Refused(notFound);
      return { supervision: supervisionToProto(changed.supervision), isNew };
    },
    async endSupervision({ callId: id }, { principal: { companyId, employeeId: actorId } }) {
      const call = await runner.apply({ companyId, id }, { type: 'end_supervision', actorId });
      if (!call) throw new Refused(notFound);
      return {};
    },
  });
}
