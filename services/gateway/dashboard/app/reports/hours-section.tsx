import { type ReactNode, useState } from 'react';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ChartColumn, Table2 } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import { type ChartRow } from './chart-row.ts';
import styles from './hours-section.module.css';
import { callColumns, ReportTable } from './report-table.tsx';

const [FIRST_HOUR, LAST_HOUR] = [8, 17];

/** Calls by hour of the day, as bars or as a table. `rows`: one for each hour of the day. */
export function HoursSection({ rows }: { rows: readonly ChartRow[] }): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const title = t('When people call');
  const shown = rows.slice(...shownHours(rows));
  const max = Math.max(1, ...shown.map(({ figures }) => figures.total));
  return (
    <Section
      title={title}
      actions={
        <IconButton
          label={asTable ? t('Show as bars') : t('Show as a table')}
          icon={asTable ? ChartColumn : Table2}
          onPress={() => setAsTable(!asTable)}
        />
      }
    >
      {asTable ? (
        <ReportTable label={title} group={t('hour of the day')} rows={shown} columns={callColumns().slice(0, 1)} />
      ) : (
        <div className={styles['chart']} role="img" aria-label={t('{title}, as bars', { title })}>
          {shown.map(({ key, label, name, figures: { total } }) => (
            <div key={key} className={styles['slot']} title={`${name}: ${number(total)}`}>
              <div className={styles['column']}>
                <span
                  className={classes(styles['bar'], total === max && styles['busiest'])}
                  style={{ height: `${(total / max) * 100}%` }}
                >
                  {total === max && <span className={styles['value']}>{number(total)}</span>}
                </span>
              </div>
              <span className={styles['hour']}>{label}</span>
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}

/** Office hours, and every other hour that has calls: where to begin and where to end. */
function shownHours(rows: readonly ChartRow[]): [number, number] {
  const used = rows.flatMap(({ figures }, hour) => (figures.total > 0 ? [hour] : []));
  return [Math.min(FIRST_HOUR, ...used), Math.max(LAST_HOUR, ...used) + 1];
}
