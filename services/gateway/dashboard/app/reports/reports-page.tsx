import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { businessNumbersQuery, employeesQuery } from '../api/shared-queries.ts';
import { exactTime } from '../i18n/format.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { DownloadLink } from '../ui/button.tsx';
import { DayField, SelectField } from '../ui/field.tsx';
import { SMALL } from '../ui/icon.ts';
import { Page, Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Filters, useFilters } from '../ui/use-filters.ts';
import { BarChart, Legend, NamedBars } from './bar-chart.tsx';
import { chartRows, isInTime, type Names, partsOf } from './chart-row.ts';
import { MessageReportSection } from './message-report.tsx';
import { ReportFigures } from './report-figures.tsx';
import { groupName } from './group-name.ts';
import { lastDays, periodBefore, periodOf, USUAL_DAYS, usualDays } from './report-period.ts';
import { exportAddress, type Group, GROUPS, type ReportScope, useCallReport } from './report-queries.ts';
import { callColumns, ReportTable } from './report-table.tsx';
import styles from './reports-page.module.css';

export function ReportsPage(): ReactNode {
  const filters = useFilters();
  const scope = scopeOf(filters);
  const period = periodOf(filters.get('from'), filters.get('to'));
  const report = useCallReport(period, scope);
  const before = useCallReport(periodBefore(period), scope);
  const names = useNames();
  return (
    <Page
      title={t('Reports')}
      actions={isAdmin && <DownloadLink href={exportAddress(period, scope)}>{t('CSV')}</DownloadLink>}
      toolbar={<ReportFilters filters={filters} scope={scope} />}
    >
      <QueryState query={report} what="report">
        {(data) => {
          const earlier = before.isPlaceholderData ? undefined : before.data;
          const rows = chartRows(data.group, data.rows, earlier?.rows, names);
          const title = titleOf(data.group);
          const others = partsOf(data.totals).others > 0;
          const isEmpty = data.totals.total === 0 && !earlier?.totals.total;
          return (
            <>
              <ReportFigures totals={data.totals} before={earlier?.totals} />
              <Section
                title={title}
                actions={!isEmpty && <Legend hasMissed={data.totals.missed > 0} hasOthers={others} />}
              >
                {isEmpty && <p className={styles['empty']}>{t('No calls in this period.')}</p>}
                {isInTime(data.group) ? (
                  <BarChart rows={rows} label={t('{title}, as bars', { title })} />
                ) : (
                  <NamedBars rows={rows} label={t('{title}, as bars', { title })} />
                )}
              </Section>
              <ReportTable
                label={title}
                group={groupName(data.group)}
                rows={data.group === 'day' ? rows.toReversed() : rows}
                columns={callColumns()}
              />
              <MessageReportSection period={period} scope={scope} names={names} />
              <p className={styles['counted']}>
                <CircleCheck {...SMALL} />
                {t('Counted up to {time}', { time: exactTime(new Date(data.complete_through)) })}
              </p>
            </>
          );
        }}
      </QueryState>
    </Page>
  );
}

function ReportFilters({ filters, scope }: { filters: Filters; scope: ReportScope }): ReactNode {
  const numbers = useQuery(businessNumbersQuery);
  const chip = (name: string, value: string) => ({
    look: 'chip' as const,
    hideLabel: true,
    value,
    onChange: (event: { target: { value: string } }) => filters.set({ [name]: event.target.value }),
  });
  return (
    <>
      <PeriodChoice filters={filters} />
      <SelectField label={t('Group by')} {...chip('group_by', scope.group)}>
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {t('By {group}', { group: groupName(group) })}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('Direction')} {...chip('direction', scope.direction)}>
        <option value="">{t('All calls')}</option>
        <option value="inbound">{t('Incoming')}</option>
        <option value="outbound">{t('Outgoing')}</option>
      </SelectField>
      <SelectField label={t('Business number')} {...chip('business_number_id', scope.businessNumberId)}>
        <option value="">{t('Any number')}</option>
        {numbers.data?.map(({ id, name, number }) => (
          <option key={id} value={id}>
            {name || phoneText(number)}
          </option>
        ))}
      </SelectField>
      {!isAdmin && <span className={styles['own']}>{t('Calls that you took part in.')}</span>}
    </>
  );
}

function PeriodChoice({ filters }: { filters: Filters }): ReactNode {
  const period = periodOf(filters.get('from'), filters.get('to'));
  const usual = usualDays(period);
  const [choosesDays, setChoosesDays] = useState(usual === undefined);
  const shown = choosesDays ? 'days' : String(usual ?? 'days');
  function choose(chosen: string): void {
    setChoosesDays(chosen === 'days');
    if (chosen !== 'days') filters.set({ ...lastDays(Number(chosen)) });
  }
  const day = (name: 'from' | 'to', label: string) => (
    <DayField
      label={label}
      hideLabel
      value={period[name]}
      onChange={(event) => event.target.value !== '' && filters.set({ ...period, [name]: event.target.value })}
    />
  );
  return (
    <>
      <SelectField
        label={t('Period')}
        hideLabel
        look="chip"
        value={shown}
        onChange={(event) => choose(event.target.value)}
      >
        {USUAL_DAYS.map((count) => (
          <option key={count} value={count}>
            {t('Last {count} days', { count })}
          </option>
        ))}
        <option value="days">{t('Choose days …')}</option>
      </SelectField>
      {shown === 'days' && (
        <span className={styles['days']}>
          {day('from', t('First day'))}
          <span aria-hidden="true">–</span>
          {day('to', t('Last day'))}
        </span>
      )}
    </>
  );
}

function scopeOf(filters: Filters): ReportScope {
  const direction = filters.get('direction');
  return {
    group: GROUPS.find((group) => group === filters.get('group_by')) ?? 'day',
    businessNumberId: filters.get('business_number_id'),
    direction: direction === 'inbound' || direction === 'outbound' ? direction : '',
  };
}

/** The names of numbers and employees by their ids. */
function useNames(): Names {
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const { data: employees = [] } = useQuery(employeesQuery);
  return new Map([
    ...numbers.map(({ id, name, number }) => [id, name || phoneText(number)] as const),
    ...employees.map(({ id, name }) => [id, name] as const),
  ]);
}

function titleOf(group: Group): string {
  switch (group) {
    case 'day':
      return t('Calls by day');
    case 'weekday':
      return t('Calls by weekday');
    case 'hour_of_day':
      return t('Calls by hour of the day');
    case 'business_number':
      return t('Calls by number');
    case 'employee':
      return t('Calls by employee');
  }
}
