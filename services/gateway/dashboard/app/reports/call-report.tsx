import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { QueryState } from '../ui/query-state.tsx';
import { CallEndsSection } from './call-ends-section.tsx';
import { callParts, chartRows, type Names } from './chart-row.ts';
import { HoursSection } from './hours-section.tsx';
import { periodBefore, type ReportPeriod } from './report-period.ts';
import { type Group, type ReportScope, useCallReport } from './report-queries.ts';
import { callColumns, ReportTable } from './report-table.tsx';
import styles from './reports-page.module.css';
import { CountedUpTo, groupName, ReportChart, SkeletonReport } from './report-parts.tsx';

interface ReportProps {
  readonly period: ReportPeriod;
  readonly scope: ReportScope;
  readonly names: Names;
}

/** Calls of a period in the chosen groups, when they come and how they end. */
export function CallReport({ period, scope, names }: ReportProps): ReactNode {
  const report = useCallReport(period, scope);
  const before = useCallReport(periodBefore(period), scope);
  const hours = useCallReport(period, { ...scope, group: 'hour_of_day' });
  const hasAssistants = (report.data?.totals.assisted ?? 0) > 0;
  const inbound = useCallReport(period, { ...scope, direction: 'inbound' }, isAdmin && hasAssistants);
  return (
    <QueryState query={report} skeleton={<SkeletonReport />}>
      {(data) => {
        const earlier = before.isPlaceholderData ? undefined : before.data;
        const rows = chartRows(data.group, { rows: data.rows, before: earlier?.rows }, callParts, names);
        const title = titleOf(data.group);
        const isEmpty = data.totals.total === 0 && !earlier?.totals.total;
        return (
          <>
            <ReportChart
              title={title}
              group={data.group}
              rows={rows}
              empty={isEmpty && t('No calls in this period.')}
            />
            <div className={styles['pair']}>
              {hours.data && (
                <HoursSection
                  rows={chartRows('hour_of_day', { rows: hours.data.rows, before: undefined }, callParts, names)}
                />
              )}
              {isAdmin && <CallEndsSection totals={data.totals} inbound={inbound.data?.totals} />}
            </div>
            <ReportTable
              label={title}
              group={groupName(data.group)}
              rows={data.group === 'day' ? rows.toReversed() : rows}
              columns={callColumns(hasAssistants)}
            />
            <CountedUpTo time={data.complete_through} period={period} />
          </>
        );
      }}
    </QueryState>
  );
}

function titleOf(group: Group): string {
  return {
    day: t('Calls by day'),
    weekday: t('Calls by weekday'),
    hour_of_day: t('Calls by hour of the day'),
    business_number: t('Calls by number'),
    employee: t('Calls by employee'),
  }[group];
}
