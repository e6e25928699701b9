import { empty, endpoint, json } from '@parley/http';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { FileContent } from '@parley/proto/directory/v1/exports_pb';
import {
  callJson,
  callSchema,
  directionJson,
  isoTime,
  participantSchema,
  stateFromJson,
  stateJson,
  transferJson,
  transferSchema,
} from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { periodQuery } from '../reports/report-endpoints.ts';
import { csvFile } from '../shared/csv-file.ts';
import { phoneQuery, withPlus } from '../shared/phone-query.ts';
import { callRecordColumns } from './call-record-csv.ts';
import { transcriptOf, transcriptSchema, withShortTranscript } from './call-transcript.ts';
import { conversationEndpoints } from './conversation-endpoints.ts';
import { assistedCallEndpoints } from './assisted-call-endpoints.ts';
import { supervisionEndpoints } from './supervision-endpoints.ts';
import { transferEndpoints } from './transfer-endpoints.ts';
import { isoTimeSchema, timestampOf } from '../shared/iso-time.ts';

export const callEndpoints = (clients: Clients) => [
  listCalls(clients),
  exportCalls(clients),
  getActiveCall(clients),
  getCall(clients),
  getCallTimeline(clients),
  getCallTranscript(clients),
  ...transferEndpoints(clients),
  ...supervisionEndpoints(clients),
  ...assistedCallEndpoints(clients),
  ...conversationEndpoints(clients),
];

const QUERY_MAX = 512;
const directions = { inbound: CallDirection.INBOUND, outbound: CallDirection.OUTBOUND } as const;

/** A form sends an empty field for a filter that is not used. */
const blankAsAbsent = (given: unknown) => (given === '' ? undefined : given);

/** The filters of lists and files of calls. */
const callFilters = {
  main_number_id: z.string().max(100).optional().describe('A business number’s id'),
  phone_number: phoneQuery.optional().describe('The remote side: E.164, or as written in the company’s country'),
  direction: z
    .preprocess(blankAsAbsent, z.enum(['inbound', 'outbound']).optional())
    .describe('Both directions by default'),
  tag: z.string().max(200).optional().describe('Calls with this tag, in any case of its letters'),
  state: z.string().max(100).optional(),
};
const callFilterSchema = z.object(callFilters);

function callFilterMessage(query: z.output<typeof callFilterSchema>) {
  return {
    mainNumberId: query.main_number_id,
    phoneNumber: query.phone_number ? withPlus(query.phone_number) : undefined,
    direction: query.direction ? directions[query.direction] : CallDirection.UNSPECIFIED,
    tag: query.tag,
    state: (query.state && stateFromJson(query.state)) || CallState.UNSPECIFIED,
  };
}

const callsResponse = z.object({
  calls: z.array(callSchema),
  next_cursor: z.string().optional().describe('When there are more'),
});

const listCalls = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls',
    sdkMethod: 'calls.list',
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
      started_after: isoTimeSchema.optional().describe('Calls that started at this time or later'),
      started_before: isoTimeSchema.optional().describe('Calls that started at this time or earlier'),
      limit: z.preprocess(blankAsAbsent, z.coerce.number().default(10)).describe('Clamped to 1-50'),
      cursor: z.string().max(2048).optional().describe('`next_cursor` of the page before'),
    }),
    responses: { 200: callsResponse },
    errors: [422],
    tools: {
      search_calls: {
        title: 'Search calls',
        description:
          'Finds calls by the words and meaning of their transcripts (`query`), phone number, direction, tag or time of the start; the newest first without a query. Use it for “who called about …?”.',
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
    },
    async handle({ query, context }) {
      const found = await calls.listCalls(
        {
          query: query.query,
          ...callFilterMessage(query),
          limit: Math.min(Math.max(Math.trunc(query.limit), 1), 50),
          startedAfter: timestampOf(query.started_after),
          startedBefore: timestampOf(query.started_before),
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

const exportCalls = ({ callRecords, exports, reports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /calls/export.csv',
    sdkMethod: 'calls.export',
    summary: 'Export calls',
    description:
      'A CSV file (RFC 4180) with a line for each call that started in the time, newest first. A text that a spreadsheet would take for a formula has an apostrophe in front; a phone number has none. Several employees are separated by semicolons, in the order they joined.',
    query: z.object({
      ...periodQuery,
      ...callFilters,
      business_number_id: z.string().max(100).optional().describe('As in reports; the same as `main_number_id`'),
      employee_id: z.string().max(100).optional().describe('Only what the employee took part in'),
    }),
    responses: { 200: 'text/csv' },
    errors: [422],
    async handle({ query, context, requestId }) {
      const { from = '', to = '', timezone = '' } = query;
      const period = await reports.getReportPeriod({ from, to, timezone }, { as: context });
      const filter = callFilterMessage(query);
      const request = {
        ...filter,
        mainNumberId: query.business_number_id ?? filter.mainNumberId,
        employeeId: query.employee_id,
        startedFrom: period.beginsAt,
        startedBefore: period.endsAt,
      };
      return csvFile(
        { exports },
        { context, requestId },
        {
          content: FileContent.CALLS,
          name: `calls_${period.from}_${period.to}.csv`,
          filter: { ...query, from: period.from, to: period.to },
          columns: callRecordColumns,
          read: (options) => callRecords.streamCallRecords(request, options),
          itemsOf: (response) => response.callRecords,
        },
      );
    },
  });

const coworkerStatuses = ['available', 'on_call', 'ringing', 'logged_out', 'unknown'] as const;

const activeCallSchema = z.object({
  call: callSchema.pick({ id: true, state: true, direction: true, from: true, to: true }),
  transfer: transferSchema.nullable().describe('The open transfer'),
  assistant: z
    .object({ name: z.string(), caller_name: z.string().nullable(), matter: z.string().nullable() })
    .optional()
    .describe('Who calls, as an assistant understood it that rings the employee; words of the caller'),
  employees: z.array(participantSchema.extend({ status: z.enum(coworkerStatuses) })).describe('Coworkers'),
  available_employees: z.array(participantSchema),
});

const getActiveCall = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls/active',
    sdkMethod: 'calls.getActive',
    summary: 'Get the active call',
    description:
      'The call that the employee is in, or is the target of an open transfer of; 204 when there is none. Coworkers on do-not-disturb are shown as logged out.',
    responses: { 200: activeCallSchema, 204: null },
    tools: {
      get_active_call: {
        description:
          'The call the employee is in right now, its open transfer and the coworkers it could go to; `call` is null when there is none. Use it before a transfer.',
        whenEmpty: { call: null },
      },
    },
    async handle({ context }) {
      const { call, transfer, coworkers, assistant } = await calls.getActiveCall({}, { as: context });
      if (!call) return empty(204);
      const employees = coworkers.map(({ id, name, status }) => ({ id, name, status: statusJson(status) }));
      return json(200, {
        call: {
          id: call.id,
          state: stateJson(call.state),
          direction: directionJson(call.direction),
          from: call.from,
          to: call.to,
        },
        transfer: transfer ? transferJson(transfer) : null,
        ...(assistant && {
          assistant: {
            name: assistant.name,
            caller_name: assistant.callerName ?? null,
            matter: assistant.matter ?? null,
          },
        }),
        employees,
        available_employees: employees
          .filter(({ status }) => status === 'available')
          .map(({ id, name }) => ({ id, name })),
      });
    },
  });

function statusJson(status: PresenceStatus): (typeof coworkerStatuses)[number] {
  switch (status) {
    case PresenceStatus.AVAILABLE:
      return 'available';
    case PresenceStatus.ON_CALL:
      return 'on_call';
    case PresenceStatus.RINGING:
      return 'ringing';
    case PresenceStatus.LOGGED_OUT:
    case PresenceStatus.DO_NOT_DISTURB:
      return 'logged_out';
    default:
      return 'unknown';
  }
}

const getCall = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls/:id',
    sdkMethod: 'calls.get',
    summary: 'Get a call',
    description:
      'A call in progress or an ended one. `summary`, `transcription` and `recording_url` are null until they are ready, or when the call is not recorded.',
    responses: { 200: callSchema },
    errors: [404],
    tools: {
      get_call: {
        description:
          'One call with its summary and participants. A long transcript is cut: use get_call_transcript for it.',
        result: { schema: callSchema, of: (body) => withShortTranscript(body as z.output<typeof callSchema>) },
      },
      get_call_transcript: {
        title: 'Get the transcript of a call',
        description: 'The transcript of a call by speaker. Use it when the summary is not enough.',
        list: 'segments',
        result: { schema: transcriptSchema, of: transcriptOf },
      },
    },
    async handle({ params, context }) {
      const { call } = await calls.getCall({ id: params.id }, { as: context });
      return json(200, callJson(call!));
    },
  });

const entrySchema = z
  .object({
    at: z.string(),
    type: z
      .string()
      .describe(
        'state, input, offer, leg, timer, command, transfer, hold, recording, supervision, assistant, note or dropped',
      ),
    what: z.string(),
    cause: z.string().describe('The trigger: an event of the switch, a timer, a command'),
    employee_id: z.string().optional(),
    leg_id: z.string().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: 'CallTimelineEntry' });

const getCallTimeline = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls/:id/timeline',
    sdkMethod: 'calls.getTimeline',
    summary: 'Get the timeline of a call',
    description:
      'The events of a call with their causes, oldest first; for a very long call only its beginning and its end.',
    responses: { 200: z.object({ entries: z.array(entrySchema) }) },
    errors: [404],
    async handle({ params, context }) {
      const { entries } = await calls.getCallTimeline({ id: params.id }, { as: context });
      return json(200, {
        entries: entries.map(({ at, type, what, cause, employeeId, legId, detail }) => ({
          at: isoTime(at) ?? '',
          type,
          what,
          cause,
          ...(employeeId !== undefined && { employee_id: employeeId }),
          ...(legId !== undefined && { leg_id: legId }),
          ...(detail !== undefined && { detail }),
        })),
      });
    },
  });

const segmentSchema = z
  .object({
    speaker: z.string().describe('An employee’s name, or the remote phone number'),
    text: z.string(),
    employee_id: z.string().optional().describe('Absent for the remote side'),
    start_ms: z.int().describe('From the beginning of the recording, in milliseconds'),
    end_ms: z.int(),
  })
  .meta({ id: 'CallTranscriptSegment' });

const getCallTranscript = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /calls/:id/transcript',
    sdkMethod: 'calls.getTranscript',
    summary: 'Get the transcript of a call',
    description: 'The segments of the transcription with their times in the recording; null before it is transcribed.',
    responses: { 200: z.object({ segments: z.array(segmentSchema).nullable() }) },
    errors: [404],
    async handle({ params, context }) {
      const { call } = await calls.getCall({ id: params.id }, { as: context });
      const segments = call!.transcriptionSegments.map(({ speaker, text, employeeId, startMs, endMs }) => ({
        speaker,
        text,
        ...(employeeId !== undefined && { employee_id: employeeId }),
        start_ms: startMs,
        end_ms: endMs,
      }));
      return json(200, { segments: call!.hasTranscription ? segments : null });
    },
  });
