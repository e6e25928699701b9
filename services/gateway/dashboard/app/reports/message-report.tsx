import type { ReactNode } from 'react';
import type { MessageReport } from '../api/schema.d.ts';
import { number, percent } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { namesOf, type Names } from './chart-row.ts';
import { groupName } from './group-name.ts';
import { FigureTiles, share, type Tile } from './report-figures.tsx';
import { periodBefore, type ReportPeriod } from './report-period.ts';
import { type ReportScope, useMessageReport } from './report-queries.ts';
import { type FigureColumn, ReportTable } from './report-table.tsx';
import styles from './reports-page.module.css';

type Totals = MessageReport['totals'];

interface MessageRow {
  readonly key: string;
  readonly name: string;
  readonly figures: Totals;
}

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

const columns = (): readonly FigureColumn<MessageRow>[] => [
  { label: t('Sent'), text: ({ figures }) => number(figures.sent) },
  { label: t('Received'), text: ({ figures }) => number(figures.received) },
  { label: t('Delivered'), text: ({ figures }) => number(figures.delivered) },
  { label: t('Failed'), text: ({ figures }) => number(figures.failed) },
  { label: t('Parts'), text: ({ figures }) => number(figures.parts) },
  { label: t('People'), text: ({ figures }) => number(figures.people) },
  { label: t('9 of 10 get an answer in'), text: ({ figures }) => duration(figures.first_response_secs_p90) },
];

/** Texts of the same period and groups as the calls above. */
export function MessageReportSection(props: { period: ReportPeriod; scope: ReportScope; names: Names }): ReactNode {
  const { period, scope, names } = props;
  const report = useMessageReport(period, scope);
  const before = useMessageReport(periodBefore(period), scope);
  return (
    <Section title={t('Texts')}>
      <QueryState query={report} what="report">
        {({ totals, rows, group }) =>
          totals.sent + totals.received === 0 ? (
            <p className={styles['empty']}>{t('No texts in this period.')}</p>
          ) : (
            <>
              <FigureTiles
                tiles={tiles()}
                totals={totals}
                before={before.isPlaceholderData ? undefined : before.data?.totals}
              />
              <ReportTable
                label={t('Texts')}
                group={groupName(group)}
                columns={columns()}
                rows={(group === 'day' ? rows.toReversed() : rows).map((row) => ({
                  key: String(row.key),
                  name: namesOf(group, row.key, names).name,
                  figures: row,
                }))}
              />
            </>
          )
        }
      </QueryState>
    </Section>
  );
}
