import type { ReactNode } from 'react';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { duration } from '../ui/duration.ts';
import { NamedBars } from './bar-chart.tsx';
import { callParts, chartRows, type Names } from './chart-row.ts';
import type { ReportPeriod } from './report-period.ts';
import { type ReportScope, useCallReport } from './report-queries.ts';
import styles from './report-aside.module.css';

/** More would be a list of their own: choose the group for that. */
const SHOWN_MAX = 8;

/** Who took the calls, and on which numbers they came. */
export function ReportAside(props: { period: ReportPeriod; scope: ReportScope; names: Names }): ReactNode {
  return (
    <>
      {isAdmin && <ByEmployee {...props} />}
      <ByNumber {...props} />
    </>
  );
}

function ByEmployee({ period, scope, names }: Parameters<typeof ReportAside>[0]): ReactNode {
  const report = useCallReport(period, { ...scope, group: 'employee' });
  const rows = chartRows('employee', { rows: report.data?.rows ?? [], before: undefined }, callParts, names);
  return (
    <section className={styles['section']} aria-label={t('By employee')}>
      <h2>{t('By employee')}</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Calls')}</th>
            <th scope="col">{t('Talk')}</th>
            <th scope="col">{t('Wait')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_MAX).map(({ key, name, figures }) => (
            <tr key={key}>
              <th scope="row">
                <span className={styles['person']}>
                  <Avatar id={key} name={name} size={24} />
                  <bdi>{name}</bdi>
                </span>
              </th>
              <td className={styles['count']}>{number(figures.total)}</td>
              <td>{duration(Math.round(figures.talk_secs_avg))}</td>
              <td>{duration(Math.round(figures.wait_secs_avg))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ByNumber({ period, scope, names }: Parameters<typeof ReportAside>[0]): ReactNode {
  const report = useCallReport(period, { ...scope, group: 'business_number' });
  const rows = chartRows('business_number', { rows: report.data?.rows ?? [], before: undefined }, callParts, names);
  return (
    <section className={styles['section']} aria-label={t('By number')}>
      <h2>{t('By number')}</h2>
      {report.data && rows.length === 0 ? (
        <p className={styles['none']}>{t('Your company has no business number yet.')}</p>
      ) : (
        <NamedBars rows={rows.slice(0, SHOWN_MAX)} label={t('{title}, as bars', { title: t('By number') })} />
      )}
    </section>
  );
}
