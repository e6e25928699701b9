import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { BarChart, Legend, NamedBars } from './bar-chart.tsx';
import { CallEndsSection } from './call-ends-section.tsx';
import { callParts, chartRows, isInTime, type Names } from './chart-row.ts';
import { CountedUpTo } from './counted-up-to.tsx';
import { groupName } from './group-name.ts';
import { HoursSection } from './hours-section.tsx';
import { periodBefore, type ReportPeriod } from './report-period.ts';
import { type Group, type ReportScope, useCallReport } from './report-queries.ts';
import { callColumns, ReportTable } from './report-table.tsx';
import { SkeletonReport } from './skeleton-report.tsx';
import styles from './reports-page.module.css';

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
  return (
    <QueryState query={report} skeleton={<SkeletonReport />}>
      {(data) => {
        const earlier = before.isPlaceholderData ? undefined : before.data;
        const rows = chartRows(data.group, { rows: data.rows, before: earlier?.rows }, callParts, names);
        const title = titleOf(data.group);
        const isEmpty = data.totals.total === 0 && !earlier?.totals.total;
        return (
          <>
            <Section title={title} actions={!isEmpty && <Legend rows={rows} />}>
              {isEmpty && <p className={styles['empty']}>{t('No calls in this period.')}</p>}
              {isInTime(data.group) ? (
                <BarChart rows={rows} label={t('{title}, as bars', { title })} />
              ) : (
                <NamedBars rows={rows} label={t('{title}, as bars', { title })} />
              )}
            </Section>
            <div className={styles['pair']}>
              {hours.data && (
                <HoursSection
                  rows={chartRows('hour_of_day', { rows: hours.data.rows, before: undefined }, callParts, names)}
                />
              )}
              {isAdmin && <CallEndsSection totals={data.totals} />}
            </div>
            <ReportTable
              label={title}
              group={groupName(data.group)}
              rows={data.group === 'day' ? rows.toReversed() : rows}
              columns={callColumns()}
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
