import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { endpoint, json } from '@parley/http';
import {
  type CallFigures,
  type MessageFigures,
  ReportDirection,
  ReportGroup,
} from '@parley/proto/reports/v1/reports_pb';
import { isoTime } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { getLiveReport } from './get-live-report.ts';

export const reportEndpoints = (clients: Clients) => [
  getCallReport(clients),
  getMessageReport(clients),
  getLiveReport(clients),
];

const groups = {
  day: ReportGroup.DAY,
  hour: ReportGroup.HOUR,
  weekday: ReportGroup.WEEKDAY,
  hour_of_day: ReportGroup.HOUR_OF_DAY,
  business_number: ReportGroup.BUSINESS_NUMBER,
  employee: ReportGroup.EMPLOYEE,
} as const;
const groupNames = Object.keys(groups) as [keyof typeof groups, ...(keyof typeof groups)[]];

const directions = { inbound: ReportDirection.INBOUND, outbound: ReportDirection.OUTBOUND } as const;

/** Groups whose keys are numbers. */
const numbered: readonly string[] = ['weekday', 'hour_of_day'];

/** Parsed by `GetReportPeriod`. */
export const periodQuery = {
  from: z.string().max(64).optional().describe('The first day, such as 2026-11-16; 29 days before `to` by default'),
  to: z.string().max(64).optional().describe('The last day, at most 400 days in all; today by default'),
  timezone: z.string().max(64).optional().describe('IANA; that of the company’s first number by default'),
};

const reportQuery = z.object({
  ...periodQuery,
  group_by: z.enum(groupNames).optional().describe('`day` by default; for members `employee`'),
  business_number_id: z.string().max(100).optional(),
  employee_id: z.string().max(100).optional().describe('Only what the employee took part in'),
});

/** The parameters that all reports have. */
function scopeOf(query: z.output<typeof reportQuery>) {
  return {
    from: query.from ?? '',
    to: query.to ?? '',
    groupBy: query.group_by ? groups[query.group_by] : ReportGroup.UNSPECIFIED,
    timezone: query.timezone ?? '',
    businessNumberId: query.business_number_id ?? '',
    employeeId: query.employee_id ?? '',
  };
}

const keySchema = z
  .union([z.string(), z.int()])
  .describe('A date, an hour (ISO 8601 with offset), a weekday (0 is Monday), an hour of the day or an id');

const callFiguresSchema = z
  .object({
    total: z.int(),
    inbound: z.int(),
    outbound: z.int(),
    answered: z.int().describe('Outbound: by the other side'),
    missed: z.int().describe('Inbound, ended without an employee answering'),
    voicemails: z.int(),
    abandoned: z.int().describe('Callers who hung up while waiting'),
    wait_secs_avg: z.number().describe('From the start of inbound calls to their answer'),
    wait_secs_p90: z.int().describe('By nearest rank'),
    talk_secs_total: z.int().describe('From the answer to the end'),
    talk_secs_avg: z.number().describe('Of answered calls'),
    answered_within_20s: z.int().describe('Inbound'),
    assisted: z.int().describe('Inbound, an assistant talked with the caller'),
    assistant_resolved: z.int().describe('Those in which it left nothing to do'),
  })
  .meta({ id: 'CallFigures' });

const messageFiguresSchema = z
  .object({
    sent: z.int().describe('Failed ones included'),
    received: z.int(),
    delivered: z.int(),
    failed: z.int(),
    parts: z.int().describe('Chargeable parts of sent texts, as the provider reported them'),
    people: z.int().describe('Who texted or was texted, each once in a row and once in the totals'),
    first_response_secs_p50: z.int().describe('By nearest rank'),
    first_response_secs_p90: z.int(),
  })
  .meta({ id: 'MessageFigures' });

const reportSchema = <Figures extends z.ZodObject>(figures: Figures, totals: Figures) =>
  z.object({
    rows: z.array(figures.extend({ key: keySchema })),
    totals,
    complete_through: z.string().describe('Everything that happened before this time is counted'),
  });

const allCallsSchema = callFiguresSchema.describe('Of all calls that fit; a call of two employees counts once');
const callReportSchema = reportSchema(callFiguresSchema, allCallsSchema).meta({ id: 'CallReport' });
const messageReportSchema = reportSchema(messageFiguresSchema, messageFiguresSchema).meta({ id: 'MessageReport' });

/** Short, because assistants read the schemas of all tools: the names of figures describe them. */
const figuresOfTool = z.record(z.string(), z.union([z.string(), z.number()]));
const shortSchema = z.object({ rows: z.array(figuresOfTool), totals: figuresOfTool, complete_through: z.string() });
const shortResult = { schema: shortSchema, of: (body: unknown) => body as z.output<typeof shortSchema> };

const getCallReport = ({ reports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /reports/calls',
    sdkMethod: 'reports.calls',
    summary: 'Report calls',
    description:
      'A call belongs to the moment it started. Groups without calls are there with zeros. Under `employee` a call counts for everyone who took part, so missed calls are nobody’s. Members get their own row of `group_by=employee` and the totals, and every group with their own `employee_id`; everything else is for admins.',
    query: reportQuery.extend({ direction: z.enum(['inbound', 'outbound']).optional().describe('Both by default') }),
    responses: { 200: callReportSchema },
    errors: { 403: 'forbidden', 422: 'validation_failed', 429: 'rate_limited' },
    tools: {
      report_calls: {
        description:
          'Counts of calls, waiting and talking times of a period, by day, hour, weekday, number or employee. Use it for “how many calls did we miss last week?”.',
        omit: ['timezone', 'business_number_id'],
        result: shortResult,
      },
    },
    async handle({ query, context }) {
      const direction = query.direction ? directions[query.direction] : ReportDirection.UNSPECIFIED;
      const read = (scope: Scope) => reports.getCallReport({ scope, direction }, { as: context });
      return json(200, await readReport(reports, query, context, read, callFiguresJson));
    },
  });

const getMessageReport = ({ reports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /reports/messages',
    sdkMethod: 'reports.messages',
    summary: 'Report texts',
    description:
      'A text belongs to the moment it was stored, a first response to the moment it was given: it is the first text or call of an employee to a person after their texts, missed calls or voicemails, measured from the first of those. Groups without texts are there with zeros. Under `employee` are the texts an employee wrote. Members get what they get of calls.',
    query: reportQuery,
    responses: { 200: messageReportSchema },
    errors: { 403: 'forbidden', 422: 'validation_failed', 429: 'rate_limited' },
    tools: {
      report_texts: {
        description:
          'Counts of texts, people and response times of a period, by day, hour, weekday, number or employee. Use it for “how fast do we answer?”.',
        omit: ['timezone', 'business_number_id'],
        result: shortResult,
      },
    },
    async handle({ query, context }) {
      const read = (scope: Scope) => reports.getMessageReport({ scope }, { as: context });
      return json(200, await readReport(reports, query, context, read, messageFiguresJson));
    },
  });

type Scope = ReturnType<typeof scopeOf>;

interface Report<Figures> {
  readonly rows: readonly { readonly key: string; readonly figures?: Figures | undefined }[];
  readonly totals?: Figures | undefined;
  readonly completeThrough?: Timestamp | undefined;
}

/** Days whose hours are read at once: the rows of a year would take every process that passes them on too long. */
const HOURS_OF_DAYS_MAX = 60;
const DAY_MS = 24 * 3600 * 1000;

async function readReport<Figures, Json>(
  reports: Clients['reports'],
  query: z.output<typeof reportQuery>,
  as: EmployeePrincipal,
  read: (scope: Scope) => Promise<Report<Figures>>,
  figuresJson: (figures: Figures) => Json,
) {
  const scope = scopeOf(query);
  const inJson = (report: Report<Figures>) => reportJson(report, query.group_by, figuresJson);
  // Without a first day it is a month.
  if (query.group_by !== 'hour' || scope.from === '') return inJson(await read(scope));
  const { from, to, timezone } = scope;
  const period = await reports.getReportPeriod({ from, to, timezone }, { as });
  const parts = partsOf(period);
  if (parts.length === 1) return inJson(await read(scope));
  const { totals, completeThrough } = await read({ ...scope, groupBy: ReportGroup.DAY });
  const rows = [];
  for (const part of parts) rows.push(...inJson({ ...(await read({ ...scope, ...part })), totals }).rows);
  return { ...inJson({ rows: [], totals, completeThrough }), rows };
}

function partsOf({ from, to }: { from: string; to: string }): { from: string; to: string }[] {
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const parts = [];
  for (let first = Date.parse(from); first <= Date.parse(to); first += HOURS_OF_DAYS_MAX * DAY_MS) {
    const last = Math.min(first + (HOURS_OF_DAYS_MAX - 1) * DAY_MS, Date.parse(to));
    parts.push({ from: dateOf(first), to: dateOf(last) });
  }
  return parts;
}

function reportJson<Figures, Json>(
  report: Report<Figures>,
  groupBy: string | undefined,
  figuresJson: (figures: Figures) => Json,
) {
  const keyJson = (key: string) => (numbered.includes(groupBy ?? '') ? Number(key) : key);
  const shown = (figures: Figures | undefined) => {
    if (!figures) throw new Error('a response without figures');
    return figuresJson(figures);
  };
  return {
    rows: report.rows.map(({ key, figures }) => ({ key: keyJson(key), ...shown(figures) })),
    totals: shown(report.totals),
    complete_through: isoTime(report.completeThrough) ?? '',
  };
}

function messageFiguresJson(figures: MessageFigures): z.output<typeof messageFiguresSchema> {
  return {
    sent: Number(figures.sent),
    received: Number(figures.received),
    delivered: Number(figures.delivered),
    failed: Number(figures.failed),
    parts: Number(figures.parts),
    people: Number(figures.people),
    first_response_secs_p50: Number(figures.firstResponseSecsP50),
    first_response_secs_p90: Number(figures.firstResponseSecsP90),
  };
}

function callFiguresJson(figures: CallFigures): z.output<typeof callFiguresSchema> {
  return {
    total: Number(figures.total),
    inbound: Number(figures.inbound),
    outbound: Number(figures.outbound),
    answered: Number(figures.answered),
    missed: Number(figures.missed),
    voicemails: Number(figures.voicemails),
    abandoned: Number(figures.abandoned),
    wait_secs_avg: figures.waitSecsAvg,
    wait_secs_p90: Number(figures.waitSecsP90),
    talk_secs_total: Number(figures.talkSecsTotal),
    talk_secs_avg: figures.talkSecsAvg,
    answered_within_20s: Number(figures.answeredWithin20s),
    assisted: Number(figures.assisted),
    assistant_resolved: Number(figures.assistantResolved),
  };
}
