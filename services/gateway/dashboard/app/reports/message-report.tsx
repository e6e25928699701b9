import type { ReactNode } from 'react';
import type { MessageReport as Report } from '../api/schema.d.ts';
import { number, percent } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';
import { QueryState } from '../ui/query-state.tsx';
import { type ChartRow, chartRows, type Names, textParts } from './chart-row.ts';
import { FigureTiles, share, type Tile } from './report-figures.tsx';
import { periodBefore, type ReportPeriod } from './report-period.ts';
import { type ReportScope, useMessageReport } from './report-queries.ts';
import { type FigureColumn, ReportTable } from './report-table.tsx';
import { CountedUpTo, groupName, ReportChart, SkeletonReport } from './report-parts.tsx';

type Totals = Report['totals'];

const tiles = (): readonly Tile<Totals>[] => [
  { label: t('Texts sent'), valueOf: ({ sent }) => sent, text: number, change: number },
  { label: t('Texts received'), valueOf: ({ received }) => received, text: number, change: number },
  {
    label: t('Delivered'),
    valueOf: ({ delivered, sent }) => share(delivered, sent),
    text: percent,
    change: percent,
    better: 'more',
  },
  {
    label: t('First response, half below'),
    valueOf: ({ first_response_secs_p50: secs }) => secs,
    text: duration,
    change: duration,
    better: 'less',
  },
];

const columns = (): readonly FigureColumn<ChartRow<Totals>>[] => [
  { label: t('Sent'), text: ({ figures }) => number(figures.sent) },
  { label: t('Received'), text: ({ figures }) => number(figures.received) },
  { label: t('Delivered'), text: ({ figures }) => number(figures.delivered) },
  { label: t('Failed'), text: ({ figures }) => number(figures.failed) },
  { label: t('Parts'), text: ({ figures }) => number(figures.parts) },
  { label: t('People'), text: ({ figures }) => number(figures.people) },
  { label: t('9 of 10 get an answer in'), text: ({ figures }) => duration(figures.first_response_secs_p90) },
];

/** The totals of all texts of a period. */
export function MessageFigures({ period, scope }: { period: ReportPeriod; scope: ReportScope }): ReactNode {
  const byDay = { ...scope, group: 'day' as const };
  const report = useMessageReport(period, byDay);
  const before = useMessageReport(periodBefore(period), byDay);
  return (
    <FigureTiles tiles={tiles()} report={report.data} before={before.isPlaceholderData ? undefined : before.data} />
  );
}

/** Texts of a period in the chosen groups. */
export function MessageReport(props: { period: ReportPeriod; scope: ReportScope; names: Names }): ReactNode {
  const { period, scope, names } = props;
  const report = useMessageReport(period, scope);
  const before = useMessageReport(periodBefore(period), scope);
  return (
    <QueryState query={report} skeleton={<SkeletonReport />}>
      {({ totals, rows: counted, group, complete_through: completeThrough }) => {
        const earlier = before.isPlaceholderData ? undefined : before.data;
        const rows = chartRows(group, { rows: counted, before: earlier?.rows }, textParts, names);
        const title = t('Texts by {group}', { group: groupName(group) });
        const isEmpty = totals.sent + totals.received === 0;
        return (
          <>
            <ReportChart title={title} group={group} rows={rows} empty={isEmpty && t('No texts in this period.')} />
            <ReportTable
              label={title}
              group={groupName(group)}
              columns={columns()}
              rows={group === 'day' ? rows.toReversed() : rows}
            />
            <CountedUpTo time={completeThrough} period={period} />
          </>
        );
      }}
    </QueryState>
  );
}
