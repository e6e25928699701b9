import { readPhoneNumber } from '@parley/phone-numbers';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { Call } from './call.ts';
import type { CallDeps } from './call-deps.ts';
import { directionFromProto, stateFromProto } from './call-proto.ts';

const LIMIT_MAX = 50;

/** A phone number that cannot be one has no calls. */
export const listCallsRpc =
  ({ calls, countryOf, views, search }: CallDeps): Handler<typeof CallService.method.listCalls, EmployeePrincipal> =>
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
    const limit = Math.min(Math.max(request.limit, 1), LIMIT_MAX);
    const query = request.query?.trim();
    const found = query ? await searchCalls(query) : await calls.list(companyId, filter, limit);
    return { calls: await views.show(companyId, found) };

    /** Only calls with a transcript are found, and those have ended. */
    async function searchCalls(text: string): Promise<Call[]> {
      if (state !== undefined && state !== 'ended') return [];
      const ids = await search.find(companyId, text, filter, limit);
      const byId = new Map((await calls.byIds(companyId, ids)).map((call) => [call.id, call]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    }

    async function readRemote(written: string): Promise<string | undefined> {
      if (written === 'anonymous') return written;
      return readPhoneNumber(written, (await countryOf(companyId)) ?? '')?.number;
    }
  };
