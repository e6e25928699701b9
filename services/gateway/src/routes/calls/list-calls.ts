import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { endpoint, json } from '@parley/http';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { callJson, callSchema, stateFromJson } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { isoTime } from '../business-numbers/route-proposal-body.ts';
import { phoneQuery } from '../shared/phone-query.ts';
import { withShortTranscript } from './call-transcript.ts';
import { reads } from '../shared/tool-annotations.ts';

const QUERY_MAX = 512;
const directions = { inbound: CallDirection.INBOUND, outbound: CallDirection.OUTBOUND } as const;

/** A form sends an empty field for a filter that is not used. */
const blankAsAbsent = (given: unknown) => (given === '' ? undefined : given);

/** The filters of lists and files of calls. */
export const callFilters = {
  main_number_id: z.string().max(100).optional().describe('A business number’s id'),
  phone_number: phoneQuery.optional().describe('The remote side: E.164, or as written in the company’s country'),
  direction: z
    .preprocess(blankAsAbsent, z.enum(['inbound', 'outbound']).optional())
    .describe('Both directions by default'),
  tag: z.string().max(200).optional().describe('Calls with this tag, in any case of its letters'),
  state: z.string().max(100).optional(),
};
const callFilterSchema = z.object(callFilters);

export function callFilterMessage(query: z.output<typeof callFilterSchema>) {
  return {
    mainNumberId: query.main_number_id,
    phoneNumber: query.phone_number?.replace(/^ (?=\d)/, '+') || undefined,
    direction: query.direction ? directions[query.direction] : CallDirection.UNSPECIFIED,
    tag: query.tag,
    state: (query.state && stateFromJson(query.state)) || CallState.UNSPECIFIED,
  };
}

const callsResponse = z.object({
  calls: z.array(callSchema),
  next_cursor: z.string().optional().describe('When there are more'),
});

export const listCalls = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/calls',
    tag: 'Calls',
    summary: 'List calls',
    description:
      'Newest first. Filters combine; an unknown `state` is ignored. The most relevant first with `query`: the header `Search-By` says whether calls were searched for words only, or also by meaning and with which model.',
    query: z.object({
      query: z
        .string()
        .max(QUERY_MAX)
        .optional()
        .describe('Full-text and semantic search in transcriptions and saved caller context'),
      ...callFilters,
      tag: callFilters.tag.describe(
        'Calls with this tag, in any case of its letters; with `query`, the newest 500 of them are searched',
      ),
      started_after: isoTime.optional().describe('Calls that started at this time or later'),
      started_before: isoTime.optional().describe('Calls that started at this time or earlier'),
      limit: z.preprocess(blankAsAbsent, z.coerce.number().default(10)).describe('Clamped to 1-50'),
      cursor: z.string().max(2048).optional().describe('`next_cursor` of the page before'),
    }),
    responses: { 200: callsResponse },
    errors: [422],
    tools: [
      {
        name: 'search_calls',
        title: 'Search calls',
        description:
          'Finds calls by the words and meaning of their transcripts (`query`), phone number, direction, tag or time of the start; the newest first without a query. Use it for “who called about …?”.',
        annotations: reads,
        rename: { phone_number: 'phone', started_after: 'from', started_before: 'to' },
        omit: ['main_number_id', 'state'],
        list: 'calls',
        result: {
          schema: callsResponse,
          of(body) {
            const { calls: found, ...rest } = body as z.output<typeof callsResponse>;
            return { ...rest, calls: found.map(withShortTranscript) };
          },
        },
      },
    ],
    async handle({ query, context }) {
      const found = await calls.listCalls(
        {
          query: query.query,
          ...callFilterMessage(query),
          limit: Math.min(Math.max(Math.trunc(query.limit), 1), 50),
          startedAfter: timeOf(query.started_after),
          startedBefore: timeOf(query.started_before),
          cursor: query.cursor,
        },
        { as: context },
      );
      return json(
        200,
        {
          calls: found.calls.map(callJson),
          ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
        },
        query.query?.trim() ? { 'Search-By': searchedBy(found.searchModel) } : {},
      );
    },
  });

/** Words are found in every language; what the model compares is the meaning in the languages it knows. */
function searchedBy(model: string | undefined): string {
  return model === undefined ? 'words' : `words, meaning; model="${model.replaceAll(/[^\w.:/-]/g, '_')}"`;
}

function timeOf(text: string | undefined) {
  return text === undefined ? undefined : timestampFromDate(new Date(text));
}
