import { timestampDate } from '@bufbuild/protobuf/wkt';
import { invalid, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { Call } from '../calls/call.ts';
import type { CallDeps } from './call-deps.ts';
import type { CallPosition } from '../calls/call-store.ts';
import { directionFromProto, stateFromProto } from '../calls/call-proto.ts';

const LIMIT_MAX = 50;

/** A phone number that cannot be one has no calls. */
export const listCallsRpc =
  ({ calls, countryOf, views, search }: CallDeps): Handler<typeof CallService.method.listCalls, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const { mainNumberId, phoneNumber, startedAfter, startedBefore } = request;
    const direction = directionFromProto(request.direction);
    const state = stateFromProto(request.state);
    const remoteNumber = phoneNumber === undefined ? undefined : await readRemote(phoneNumber);
    if (phoneNumber !== undefined && remoteNumber === undefined) return { calls: [] };
    const filter = {
      ...(mainNumberId !== undefined && { numberId: mainNumberId }),
      ...(direction && { direction }),
      ...(state && { state }),
      ...(remoteNumber !== undefined && { remoteNumber }),
      ...(startedAfter && { startedAfter: timestampDate(startedAfter) }),
      ...(startedBefore && { startedBefore: timestampDate(startedBefore) }),
      ...(request.cursor !== undefined && { after: positionFrom(request.cursor) }),
    };
    const limit = Math.min(Math.max(request.limit, 1), LIMIT_MAX);
    const query = request.query?.trim();
    if (query) return { calls: await views.show(companyId, await searchCalls(query)) };
    const found = await calls.list(companyId, filter, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      calls: await views.show(companyId, page),
      ...(last && found.length > limit && { nextCursor: cursorOf(last) }),
    };

    /** Only calls with a transcript are found, and those have ended. The best ones are all there is: one page. */
    async function searchCalls(text: string): Promise<Call[]> {
      if ((state !== undefined && state !== 'ended') || filter.after) return [];
      const ids = await search.find(
        companyId,
        text,
        filter,
        filter.startedAfter || filter.startedBefore ? LIMIT_MAX : limit,
      );
      const byId = new Map((await calls.byIds(companyId, ids)).map((call) => [call.id, call]));
      return ids
        .flatMap((id) => byId.get(id) ?? [])
        .filter(({ startedAt }) => isWithin(startedAt, filter))
        .slice(0, limit);
    }

    async function readRemote(written: string): Promise<string | undefined> {
      if (written === 'anonymous') return written;
      return readPhoneNumber(written, (await countryOf(companyId)) ?? '')?.number;
    }
  };

/** Not secret and not signed: it says no more than a call of one's own company does. */
function cursorOf({ startedAt, id }: CallPosition): string {
  return Buffer.from(JSON.stringify([startedAt.getTime(), id])).toString('base64url');
}

function positionFrom(cursor: string): CallPosition {
  try {
    const [time, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const startedAt = new Date(Number(time));
    if (typeof time === 'number' && typeof id === 'string' && !Number.isNaN(startedAt.getTime()))
      return { startedAt, id };
  } catch {
    // not one of ours
  }
  throw new Refused(invalid({ cursor: ['is invalid'] }));
}

function isWithin(time: Date, { startedAfter, startedBefore }: { startedAfter?: Date; startedBefore?: Date }): boolean {
  return (!startedAfter || time >= startedAfter) && (!startedBefore || time <= startedBefore);
}
