import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { presenceToProto } from '../presence/presence-proto.ts';
import { openTransfer } from '../calls/model/transfer.ts';
import { transferToProto } from '../transfers/transfer-proto.ts';
import type { CallDeps } from './call-deps.ts';
import { callToProto } from '../calls/store/call-proto.ts';

/** Coworkers on do-not-disturb are shown as logged out. */
export const getActiveCallRpc =
  ({ calls, presences }: CallDeps): Handler<typeof CallService.method.getActiveCall, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId } }) => {
    const call = await calls.activeFor(companyId, employeeId);
    if (!call) return {};
    const transfer = openTransfer(call.transfers);
    const presencesOfCompany = await presences.of(companyId).list();
    const coworkers = presencesOfCompany
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
    return { call: callToProto(call), ...(transfer && { transfer: transferToProto(transfer) }), coworkers };
  };
