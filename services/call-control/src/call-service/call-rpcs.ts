import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Call } from '../calls/model/call.ts';
import { openTransfer } from '../calls/model/transfer.ts';
import { callToProto } from '../calls/store/call-proto.ts';
import { presenceToProto } from '../presence/presence-proto.ts';
import type { Presences } from '../presence/presence-store.ts';
import { transferToProto } from '../transfers/transfer-proto.ts';
import { listCalls, type ListCallsDeps } from './list-calls.ts';

/** What the RPCs of calls work with. */
export interface CallDeps extends ListCallsDeps {
  readonly presences: Pick<Presences, 'of'>;
}

/** Every RPC of the contract. */
export function addCallService(server: RpcServer, deps: CallDeps): void {
  const { calls, presences, views } = deps;

  async function existing(companyId: string, id: string): Promise<Call> {
    const call = await calls.of(companyId).get(id);
    if (!call) throw new Refused(notFound);
    return call;
  }

  /** Coworkers on do-not-disturb are shown as logged out. */
  async function coworkersOf(companyId: string, employeeId: string) {
    const presencesOfCompany = await presences.of(companyId).list();
    return presencesOfCompany
      .filter(({ id }) => id !== employeeId)
      .map((presence) => {
        const { status = PresenceStatus.UNSPECIFIED } = presenceToProto(presence);
        const isHidden = status === PresenceStatus.DO_NOT_DISTURB;
        return {
          id: presence.id,
          name: presence.employee.name,
          status: isHidden ? PresenceStatus.LOGGED_OUT : status,
        };
      });
  }

  server.add(CallService, employees.withRole('member'), {
    listCalls: listCalls(deps),
    async getCall({ id }, { principal }) {
      const [shown] = await views.show(principal, [await existing(principal.companyId, id)]);
      return { call: shown };
    },
    async getActiveCall(_request, { principal: { companyId, employeeId } }) {
      const call = await calls.activeFor(companyId, employeeId);
      if (!call) return {};
      const transfer = openTransfer(call.transfers);
      const coworkers = await coworkersOf(companyId, employeeId);
      return { call: callToProto(call), ...(transfer && { transfer: transferToProto(transfer) }), coworkers };
    },
    async getCallTimeline({ id }, { principal: { companyId } }) {
      const { timeline } = await existing(companyId, id);
      return { entries: timeline.map(({ at, ...entry }) => ({ at: timestampFromDate(at), ...entry })) };
    },
  });
}
