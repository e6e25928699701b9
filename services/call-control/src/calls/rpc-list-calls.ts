import { readPhoneNumber } from '@parley/phone-numbers';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { CallDeps } from './call-deps.ts';
import { callToProto, directionFromProto, stateFromProto } from './call-proto.ts';

const LIMIT_MAX = 50;

/** A phone number that cannot be one has no calls. */
export const listCallsRpc =
  ({ calls, countryOf }: CallDeps): Handler<typeof CallService.method.listCalls, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { mainNumberId, phoneNumber } = request;
    const direction = directionFromProto(request.direction);
    const state = stateFromProto(request.state);
    const remoteNumber = phoneNumber === undefined ? undefined : await readRemote(phoneNumber);
    if (phoneNumber !== undefined && remoteNumber === undefined) return { calls: [] };
    const filter = {
      ...(mainNumberId !== undefined && { numberId: mainNumberId }),
      ...(direction && { direction }),
      ...(state && { state }),
      ...(remoteNumber !== undefined && { remoteNumber }),
    };
    const found = await calls.list(companyId, filter, Math.min(Math.max(request.limit, 1), LIMIT_MAX));
    return { calls: found.map((call) => callToProto(call)) };

    async function readRemote(written: string): Promise<string | undefined> {
      if (written === 'anonymous') return written;
      return readPhoneNumber(written, (await countryOf(companyId)) ?? '')?.number;
    }
  };
