import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import {
  type CallFiguresSchema,
  ReportAdminService,
  ReportDirection,
  ReportGroup as ProtoGroup,
  type ReportScope,
  ReportService,
} from '@parley/proto/reports/v1/reports_pb';
import { hasRole } from '@parley/actor';
import { type EmployeePrincipal, employees, operators, type RpcContext, type RpcServer } from '@parley/rpc';
import { callFigures, type CallFigures, type Direction } from '../call-reports/call-figures.ts';
import { messageFigures } from '../message-reports/message-figures.ts';
import { startRebuild } from '../company-totals/company-totals.ts';
import type { CompanyTotalsStore } from '../company-totals/company-totals-store.ts';
import type { FactKind } from '../facts/fact.ts';
import type { Owners } from '../owners/owners-client.ts';
import type { Progress } from '../progress/progress-store.ts';
import { dayBounds } from '../totals/local-time.ts';
import type { Totals } from '../totals/total-store.ts';
import type { ReportGroup } from '../totals/total.ts';
import { readReport, type Report } from './read-report.ts';
import { readWhenReady } from './read-when-ready.ts';
import { requestedMonth, usageOf } from './usage.ts';
import { permittedGroup, requestedDays, requestedZone } from './report-request.ts';

export interface ReportRpcDeps {
  readonly totals: Totals;
  readonly companyTotals: CompanyTotalsStore;
  readonly owners: Owners;
  readonly progress: Progress;
  /** Computes requested totals at once. */
  readonly pollNow: () => void;
  readonly clock: Clock;
}

const groups: Readonly<Record<ProtoGroup, ReportGroup | undefined>> = {
  [ProtoGroup.UNSPECIFIED]: undefined,
  [ProtoGroup.DAY]: 'day',
  [ProtoGroup.HOUR]: 'hour',
  [ProtoGroup.WEEKDAY]: 'weekday',
  [ProtoGroup.HOUR_OF_DAY]: 'hour_of_day',
  [ProtoGroup.BUSINESS_NUMBER]: 'business_number',
  [ProtoGroup.EMPLOYEE]: 'employee',
};

const directions: Readonly<Record<ReportDirection, Direction | undefined>> = {
  [ReportDirection.UNSPECIFIED]: undefined,
  [ReportDirection.INBOUND]: 'inbound',
  [ReportDirection.OUTBOUND]: 'outbound',
};

const USAGE_COMPANIES_MAX = 100;
/** A company without business numbers has no time zone of its own. */
const DEFAULT_ZONE = 'UTC';

/** Every RPC of the contracts. */
export function addReportServices(server: RpcServer, deps: ReportRpcDeps): void {
  const { companyTotals, clock } = deps;
  server.add(ReportService, employees.withRole('member'), {
    async getCallReport({ scope, direction }, context) {
      const { report, completeThrough } = await reportOf(deps, 'calls', scope, context);
      const figures = (cell: Report['total']) => figuresToProto(callFigures(cell, directions[direction]));
      return {
        rows: report.rows.map(({ key, cell }) => ({ key, figures: figures(cell) })),
        totals: figures(report.total),
        completeThrough: timestampFromDate(completeThrough),
      };
    },
    async getMessageReport({ scope }, context) {
      const { report, completeThrough, groupBy, from } = await reportOf(deps, 'messages', scope, context);
      const figures = (cell: Report['total'], of: ReportGroup | 'totals') => bigFigures(messageFigures(cell, of, from));
      return {
        rows: report.rows.map(({ key, cell }) => ({ key, figures: figures(cell, groupBy) })),
        totals: figures(report.total, 'totals'),
        completeThrough: timestampFromDate(completeThrough),
      };
    },
    async getReportPeriod(request, { principal: { companyId } }) {
      const { zone, from, to } = await periodOf(deps, companyId, request);
      const [[beginsAt], [, endsAt]] = [dayBounds(zone, from), dayBounds(zone, to)];
      return { from, to, beginsAt: timestampFromMs(beginsAt), endsAt: timestampFromMs(endsAt) };
    },
  });
  server.add(ReportAdminService, operators, {
    async startReportRebuild({ companyId }) {
      await deps.owners.mustHaveCompany(companyId);
      await companyTotals.documents
        .of(companyId)
        .upsert(companyId, (current) => startRebuild(current, companyId, clock.now()));
      deps.pollNow();
      return {};
    },
    async listUsage(request, { signal }) {
      const month = requestedMonth(request.month);
      const companyIds = request.companyIds.slice(0, USAGE_COMPANIES_MAX);
      const usage = await Promise.all(
        companyIds.map(async (companyId) => ({
          companyId,
          ...bigFigures(await usageOf(deps, companyId, month, signal)),
        })),
      );
      return { usage };
    },
  });
}

/** The days that are asked for, and in which time zone. */
async function periodOf(
  { owners, clock }: Pick<ReportRpcDeps, 'owners' | 'clock'>,
  companyId: string,
  { from, to, timezone }: Pick<ReportScope, 'from' | 'to' | 'timezone'>,
) {
  const zone = timezone ? requestedZone(timezone) : ((await owners.numbers(companyId))[0]?.zone ?? DEFAULT_ZONE);
  return { zone, ...requestedDays({ from, to }, zone, clock.now()) };
}

async function reportOf(
  deps: ReportRpcDeps,
  kind: FactKind,
  scope: ReportScope | undefined,
  { principal, signal }: Pick<RpcContext<EmployeePrincipal>, 'principal' | 'signal'>,
): Promise<{ report: Report; completeThrough: Date; groupBy: ReportGroup; from: string }> {
  const { totals, companyTotals, owners, progress, pollNow } = deps;
  const { companyId } = principal;
  const { from = '', to = '', timezone = '', businessNumberId = '', employeeId = '' } = scope ?? {};
  const groupBy = permittedGroup(principal, { groupBy: groups[scope?.groupBy ?? ProtoGroup.UNSPECIFIED], employeeId });
  const { zone, ...range } = await periodOf(deps, companyId, { from, to, timezone });
  // Read before the totals, which may be later then, never earlier.
  const appliedThrough = (await progress.appliedThrough()) ?? new Date(0);
  const rowIds = await groupIds(owners, companyId, groupBy);
  const query = { of: { companyId, kind, zone }, scope: { businessNumberId, employeeId }, ...range, groupBy };
  const ownZones = async () => [DEFAULT_ZONE, ...(await owners.numbers(companyId)).map((number) => number.zone)];
  const { result: report, since } = await readWhenReady({ companyTotals, ownZones, pollNow }, query.of, signal, () =>
    readReport(totals, query, rowIds),
  );
  const isOthers = ({ key }: { key: string }) => groupBy === 'employee' && key !== principal.employeeId;
  const rows = hasRole(principal.role, 'admin') ? report.rows : report.rows.filter((row) => !isOthers(row));
  const completeThrough = since && since < appliedThrough ? since : appliedThrough;
  return { report: { ...report, rows }, completeThrough, groupBy, from: range.from };
}

async function groupIds(owners: Owners, companyId: string, groupBy: ReportGroup): Promise<string[]> {
  if (groupBy === 'business_number') return (await owners.numbers(companyId)).map(({ id }) => id);
  if (groupBy === 'employee') return owners.employeeIds(companyId);
  return [];
}

function figuresToProto(figures: CallFigures): MessageInitShape<typeof CallFiguresSchema> {
  const { waitSecsAvg, talkSecsAvg, ...counts } = figures;
  return { ...bigFigures(counts), waitSecsAvg, talkSecsAvg };
}

function bigFigures<Name extends string>(figures: Readonly<Record<Name, number>>): Record<Name, bigint> {
  const big = Object.entries<number>(figures).map(([name, value]) => [name, BigInt(value)]);
  return Object.fromEntries(big) as Record<Name, bigint>;
}
