import { timestampDate } from '@bufbuild/protobuf/wkt';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { NoteStorage } from '../call-notes/stored-notes.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CountryOf } from '../clients/company-client.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { CallViews } from './call-views.ts';
import { directionFromProto, stateFromProto } from '../calls/store/call-proto.ts';
import { cursorOf, positionFrom, rankFrom, searchCursorOf } from '../calls/store/list-cursors.ts';

const LIMIT_MAX = 50;
/** Results of a search beyond these are hardly relevant. */
const RESULTS_MAX = 100;
/** Calls with a tag that are searched: the newest. As many are compared by meaning where there is no tag. */
const TAGGED_MAX = 500;

export interface ListCallsDeps {
  readonly calls: Calls;
  readonly countryOf: CountryOf;
  readonly views: CallViews;
  readonly search: SearchIndex;
  readonly notes: NoteStorage;
}

/** A phone number that cannot be one has no calls. */
export const listCalls =
  ({
    calls,
    countryOf,
    views,
    search,
    notes,
  }: ListCallsDeps): Handler<typeof CallService.method.listCalls, EmployeePrincipal> =>
  async (request, { principal }) => {
    const { companyId } = principal;
    const { mainNumberId, phoneNumber, startedAfter, startedBefore, cursor } = request;
    const direction = directionFromProto(request.direction);
    const state = stateFromProto(request.state);
    const remoteNumber =
      phoneNumber === undefined ? undefined : await readRemoteNumber(countryOf, companyId, phoneNumber);
    if (phoneNumber !== undefined && remoteNumber === undefined) return { calls: [] };
    const filter = {
      ...(mainNumberId !== undefined && { numberId: mainNumberId }),
      ...(direction && { direction }),
      ...(remoteNumber !== undefined && { remoteNumber }),
      ...(startedAfter && { startedAfter: timestampDate(startedAfter) }),
      ...(startedBefore && { startedBefore: timestampDate(startedBefore) }),
    };
    const tag = request.tag?.trim();
    const tagKeys = tag ? notes.soughtTagKeys(companyId, tag) : undefined;
    const limit = Math.min(Math.max(request.limit, 1), LIMIT_MAX);
    const query = request.query?.trim();
    return query ? searchCalls(query) : listPage();

    async function listPage() {
      const after = cursor === undefined ? {} : { after: positionFrom(cursor) };
      const found = await calls.list(
        companyId,
        { ...filter, ...(state && { state }), ...(tagKeys && { tagKeys }), ...after },
        limit + 1,
      );
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        calls: await views.show(principal, page),
        ...(last && found.length > limit && { nextCursor: cursorOf(last) }),
      };
    }

    /** Only calls with a transcript are found, and those have ended. */
    async function searchCalls(text: string) {
      const first = cursor === undefined ? 0 : rankFrom(cursor);
      if (state !== undefined && state !== 'ended') return { calls: [] };
      const tagged = tagKeys && (await calls.listIds(companyId, { ...filter, tagKeys }, TAGGED_MAX));
      const searched = { ...filter, ...(tagged && { among: tagged }) };
      const { ids, model } = await search.find(companyId, text, searched, RESULTS_MAX);
      const page = ids.slice(first, first + limit);
      const byId = new Map((await calls.byIds(companyId, page)).map((call) => [call.id, call]));
      const found = page.flatMap((id) => byId.get(id) ?? []);
      return {
        calls: await views.show(principal, found),
        ...(ids.length > first + limit && { nextCursor: searchCursorOf(first + limit) }),
        ...(model !== null && { searchModel: model }),
      };
    }
  };

/** The remote number of a filter, as calls have it; undefined when it cannot be one. */
export async function readRemoteNumber(
  countryOf: CountryOf,
  companyId: string,
  written: string,
): Promise<string | undefined> {
  if (written === 'anonymous') return written;
  return readPhoneNumber(written, (await countryOf(companyId)) ?? '')?.number;
}
