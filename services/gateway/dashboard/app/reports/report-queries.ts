import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { CallReport } from '../api/schema.d.ts';
import { isAdmin, session } from '../session.ts';
import type { ReportPeriod } from './report-period.ts';

export type Figures = CallReport['totals'];

/** Members see only their own calls, so they have nobody to compare themselves with. */
export const GROUPS = [
  'day',
  'weekday',
  'hour_of_day',
  'business_number',
  ...(isAdmin ? (['employee'] as const) : []),
] as const;
export type Group = (typeof GROUPS)[number];

export interface ReportScope {
  readonly group: Group;
  readonly businessNumberId: string;
  readonly direction: '' | 'inbound' | 'outbound';
}

/** The file of the calls that are counted. */
export function exportAddress(period: ReportPeriod, { businessNumberId, direction }: ReportScope): string {
  const { timezone = '', ...days } = period;
  const filters = Object.entries({ ...days, timezone, business_number_id: businessNumberId, direction });
  return `/api/v1/calls/export.csv?${new URLSearchParams(filters.filter(([, value]) => value !== '')).toString()}`;
}

const REFRESH_MS = 30_000;

export function useCallReport(period: ReportPeriod, scope: ReportScope, isNeeded = true) {
  const { group, direction } = scope;
  const query = { ...scopeQuery(period, scope), ...(direction !== '' && { direction }) };
  return useQuery({
    queryKey: [...queryKeys.reports, query],
    queryFn: async ({ signal }) => ({
      ...(await ok(api.GET('/api/v1/reports/calls', { params: { query }, signal }))),
      group,
    }),
    enabled: isNeeded && period.timezone !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** A text has no direction to choose: both are counted beside each other. */
export function useMessageReport(period: ReportPeriod, scope: ReportScope) {
  const query = scopeQuery(period, scope);
  return useQuery({
    queryKey: [...queryKeys.reports, 'messages', query],
    queryFn: async ({ signal }) => ({
      ...(await ok(api.GET('/api/v1/reports/messages', { params: { query }, signal }))),
      group: scope.group,
    }),
    enabled: period.timezone !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

function scopeQuery({ timezone = '', ...days }: ReportPeriod, { group, businessNumberId }: ReportScope) {
  return {
    ...days,
    timezone,
    group_by: group,
    ...(businessNumberId !== '' && { business_number_id: businessNumberId }),
    ...(!isAdmin && { employee_id: session.employeeId }),
  };
}
