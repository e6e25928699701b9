import type { ReactNode } from 'react';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { duration } from '../ui/duration.ts';
import { Cell, Row, Table } from '../ui/table.tsx';
import type { ChartRow } from './chart-row.ts';
import styles from './reports-page.module.css';

export interface FigureColumn<Shown> {
  readonly label: string;
  readonly text: (row: Shown) => string;
}

/**
 * Missed calls and voicemails are nobody's: a member would read zeros. `hasAssistants`: an assistant talked with somebody; everywhere
 * else its columns would be zeros.
 */
export const callColumns = (hasAssistants = false): readonly FigureColumn<ChartRow>[] => [
  { label: t('Calls'), text: ({ figures }) => number(figures.total) },
  { label: t('Period before'), text: ({ before }) => (before === undefined ? '' : number(before)) },
  { label: t('Incoming'), text: ({ figures }) => number(figures.inbound) },
  { label: t('Outgoing'), text: ({ figures }) => number(figures.outbound) },
  { label: t('Answered'), text: ({ figures }) => number(figures.answered) },
  ...(isAdmin
    ? [
        { label: t('Missed'), text: ({ figures }: ChartRow) => number(figures.missed) },
        { label: t('Voicemails'), text: ({ figures }: ChartRow) => number(figures.voicemails) },
      ]
    : []),
  ...(hasAssistants
    ? [
        { label: t('With an assistant'), text: ({ figures }: ChartRow) => number(figures.assisted) },
        { label: t('Resolved by the assistant'), text: ({ figures }: ChartRow) => number(figures.assistant_resolved) },
      ]
    : []),
  { label: t('Average wait'), text: ({ figures }) => duration(Math.round(figures.wait_secs_avg)) },
  { label: t('Average length'), text: ({ figures }) => duration(Math.round(figures.talk_secs_avg)) },
];

export function ReportTable<Shown extends { readonly key: string; readonly name: string }>(props: {
  label: string;
  /** The heading of the first column. */
  group: string;
  rows: readonly Shown[];
  columns: readonly FigureColumn<Shown>[];
}): ReactNode {
  const { columns: shown } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
    <div className={styles['table']} role="group" aria-label={t('As a table')} tabIndex={0}>
      <Table
        label={props.label}
        columns={[{ label: props.group }, ...shown.map(({ label }) => ({ label, align: 'end' as const }))]}
      >
        {props.rows.map((row) => (
          <Row key={row.key}>
            <Cell isName>
              <bdi>{row.name}</bdi>
            </Cell>
            {shown.map(({ label, text }) => (
              <Cell key={label} align="end" label={label}>
                {text(row)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </div>
  );
}
